package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockHandle;
import io.leasehold.LockState;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisSentinels;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sentinels have replaced a master that still answers as a master. This process was connected to it before, and the
 * sentinels name the new one.
 */
@Tag("slow")
class DeposedMasterTests {

    private static final Duration DEADLINE = Duration.ofSeconds(40);

    private static final Duration TTL = Duration.ofSeconds(12);

    private static final Duration SHORT_TTL = Duration.ofSeconds(3);

    private static final RedisLockOptions WITHOUT_GRACE_PERIOD =
            RedisLockOptions.defaults().withGracePeriod(Duration.ZERO);

    private final RedisSentinels sentinels = RedisSentinels.start(2);

    private final List<AutoCloseable> open = new ArrayList<>();

    private StoreClient former;

    private StoreClient withGracePeriod;

    private StoreClient present;

    private Held held;

    private RedisLocking here;

    private LockHandle heldBefore;

    /** A lease on the new master, and a client whose connections lead to the former one for more than two seconds. */
    @BeforeEach
    void depose() {
        withGracePeriod = connect(RedisLockOptions.defaults());
        former = connect(WITHOUT_GRACE_PERIOD);
        former.release(former.grant("before"));
        former.describe(former.id("before"));
        here = new RedisLocking(
                RedisClient.of(sentinels),
                LockerSettings.of("held").withTtl(TTL).withCommandTimeout(Duration.ofSeconds(1)),
                WITHOUT_GRACE_PERIOD);
        open.add(here);
        heldBefore = here.locker().lock("a");
        StoreClient.await(withGracePeriod.backend().connect());
        long connected = System.nanoTime();
        sentinels.depose();
        // the replica has just been connected, and a busy machine lets it confirm late
        present = connect(WITHOUT_GRACE_PERIOD.withReplicaTimeout(Duration.ofSeconds(1)));
        held = present.grant(present.id("a"), TTL);
        await().atMost(DEADLINE).until(() -> System.nanoTime() - connected > TimeUnit.SECONDS.toNanos(3));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        sentinels.close();
    }

    @Test
    void aLeaseOfTheNewMasterIsNotLost() {
        assertAnswers(
                RenewAnswer.RENEWED,
                (backend, lease) -> backend.renew(List.of(new RenewCommand(lease.id(), lease.token(), TTL)))
                        .thenApply(answers -> answers.get(0) == RenewAnswer.UNKNOWN ? null : answers.get(0)));
    }

    @Test
    void aLeaseOfTheNewMasterIsReleasedThere() {
        assertAnswers(
                ReleaseAnswer.RELEASED,
                (backend, lease) -> backend.release(new ReleaseCommand(lease.id(), lease.token())));
        assertThat(sentinels.master().command("EXISTS", "deposed:a")).isEqualTo(0L);
    }

    @Test
    void aLeaseOfTheNewMasterIsDescribed() {
        assertAnswers(
                LockState.Held.class,
                (backend, lease) -> backend.describe(lease.id()).thenApply(Object::getClass));
    }

    @Test
    void aLeaseOfTheNewMasterIsListed() {
        assertAnswers(
                1,
                (backend, lease) -> backend.list("deposed", 10)
                        .thenApply(listing -> listing.locks().size()));
    }

    @Test
    void aLeaseOfTheNewMasterIsRevoked() {
        assertAnswers(Outcome.REVOKED, (backend, lease) -> backend.revoke(lease.id(), lease.firstFence()));
    }

    @Test
    void anotherLockIsGrantedByTheNewMaster() {
        AcquireCommand command = new AcquireCommand(former.id("b"), former.token(), TTL, 1, false);
        assertAnswers(
                Granted.class, (backend, lease) -> backend.acquire(command).thenApply(Object::getClass));
        assertThat(sentinels.master().command("EXISTS", "deposed:b")).isEqualTo(1L);
    }

    /** The former master has no record of itself, as if no lock had been requested on it, and refuses each grant. */
    @Test
    void aMasterThatRefusesGrantsForLackOfReplicasIsLookedUpAgain() {
        sentinels.servers().get(0).command("DEL", "leasehold-master");
        AcquireCommand command = new AcquireCommand(former.id("b"), former.token(), SHORT_TTL, 1, false);
        await().atMost(DEADLINE)
                .until(() -> withGracePeriod
                        .backend()
                        .acquire(command)
                        .toCompletableFuture()
                        .<Boolean>handle((answer, failure) -> answer instanceof Granted)
                        .join());
        assertThat(sentinels.master().command("EXISTS", "deposed:b")).isEqualTo(1L);
    }

    /** The former master has the lease too. */
    @Test
    void aLeaseOfBothMastersIsReleasedOnTheNewOne() {
        RedisServer master = sentinels.servers().get(0);
        master.command("SET", "deposed:a", held.token().valueWithHolder(), "PX", "12000");
        assertAnswers(
                ReleaseAnswer.RELEASED,
                (backend, lease) -> backend.release(new ReleaseCommand(lease.id(), lease.token())));
        assertThat(sentinels.master().command("EXISTS", "deposed:a")).isEqualTo(0L);
    }

    /** Its renewals reach the former master first. */
    @Test
    void aLockThatTheFormerMasterGrantedStaysHeld() {
        await().during(TTL.plusSeconds(2)).atMost(DEADLINE).until(heldBefore::isHeld);
        assertThat(heldBefore.release()).isTrue();
        assertThat(sentinels.master().command("EXISTS", "held:a")).isEqualTo(0L);
    }

    /** Repeats a command without an answer, as the engine does, until there is one. */
    private void assertAnswers(Object expected, BiFunction<LockBackend, Held, CompletionStage<?>> command) {
        Object answer = await().atMost(DEADLINE).until(() -> answer(command), each -> each != null);
        assertThat(answer).isEqualTo(expected);
    }

    private @Nullable Object answer(BiFunction<LockBackend, Held, CompletionStage<?>> command) {
        return command.apply(former.backend(), held)
                .toCompletableFuture()
                .<@Nullable Object>handle((answer, failure) -> answer)
                .join();
    }

    private StoreClient connect(RedisLockOptions options) {
        RedisClient client = RedisClient.of(sentinels);
        LockBackend backend = RedisLockBackend.of(client.factory(), options);
        open.add(backend);
        open.add(client);
        return new StoreClient(backend, "deposed");
    }
}
