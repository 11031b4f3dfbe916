package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListing;
import io.leasehold.LockRequest;
import io.leasehold.LossReason;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LockerSettings;
import io.leasehold.redis.client.InsufficientReplicasFailure;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** A master with a replica that has to confirm every lease. */
class MinReplicasTests {

    private static final LockerSettings SETTINGS =
            LockerSettings.of("deploy").withTtl(Duration.ofSeconds(6)).withCommandTimeout(Duration.ofSeconds(2));

    private final RedisServer master = RedisServer.start("repl-diskless-sync-delay 0");

    private final RedisServer replica =
            RedisServer.start("repl-diskless-sync-delay 0", "replicaof 127.0.0.1 " + master.port());

    @BeforeEach
    void awaitReplica() {
        await().atMost(Duration.ofSeconds(30)).until(() -> master.hasReplicas(1));
    }

    @AfterEach
    void close() {
        replica.close();
        master.close();
    }

    @Test
    void grantedLocksAreOnTheReplica() {
        try (RedisLocking here = locking(1)) {
            for (int i = 0; i < 20; i++) {
                LockHandle lock = here.locker().lock("a" + i);
                assertThat(replica.command("EXISTS", "deploy:a" + i)).isEqualTo(1L);
                lock.close();
            }
        }
    }

    @Test
    void aGrantWithoutAConfirmationFailsAndLeavesNoKey() {
        try (RedisLocking here = locking(1)) {
            replica.pause();
            assertThatThrownBy(() -> here.locker().tryLock("a"))
                    .isInstanceOf(LockBackendException.class)
                    .hasMessageContaining("0 of 1 replicas confirmed")
                    .hasMessageContaining("lock.redis.min-replicas");
            await().atMost(Duration.ofSeconds(5)).until(() -> master.command("GET", "deploy:a") == null);
            replica.resume();
            await().ignoreExceptions()
                    .until(() -> here.locker().tryLock("a").orElseThrow().release());
        }
    }

    @Test
    void aLockThatOnlyTheMasterRenewsIsLost() {
        try (RedisLocking here = locking(1)) {
            LockHandle lock = here.locker().lock("a");
            AtomicReference<LossReason> told = new AtomicReference<>();
            lock.onLost(told::set);
            replica.pause();
            await().atMost(Duration.ofSeconds(20)).until(() -> told.get() == LossReason.EXPIRED);
            assertThat(lock.isHeld()).isFalse();
            replica.resume();
        }
    }

    @Test
    void withoutRequiredReplicasNoCallerWaitsForThem() {
        try (RedisLocking here = locking(0)) {
            replica.pause();
            long waitsBefore = waits();
            here.locker().lock("a").close();
            assertThat(waits()).isEqualTo(waitsBefore);
            replica.resume();
        }
    }

    @Test
    void manyGrantsAreConfirmedTogether() {
        try (RedisClient client = RedisClient.of(master.port());
                LockBackend backend = RedisLockBackend.of(client.factory(), options(1))) {
            StoreClient store = new StoreClient(backend, "many");
            store.release(store.grant("warm-up"));
            long waitsBefore = waits();
            List<CompletableFuture<AcquireAnswer>> asked = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                AcquireCommand command =
                        new AcquireCommand(store.id("k" + i), store.token(), StoreClient.LONG, 1, false);
                asked.add(backend.acquire(command).toCompletableFuture());
            }
            asked.forEach(each -> assertThat(StoreClient.await(each)).isInstanceOf(AcquireAnswer.Granted.class));
            assertThat(waits() - waitsBefore).isBetween(1L, 249L);
        }
    }

    @Test
    void aConfirmationOfAnotherConnectionDoesNotCount() {
        try (RedisClient client = RedisClient.of(master.port());
                LockBackend backend = RedisLockBackend.of(client.factory(), options(1))) {
            StoreClient store = new StoreClient(backend, "cut");
            store.release(store.grant("warm-up"));
            replica.pause();
            CompletableFuture<AcquireAnswer> asked = backend.acquire(
                            new AcquireCommand(store.id("a"), store.token(), StoreClient.LONG, 1, false))
                    .toCompletableFuture();
            await().until(() -> master.command("GET", "cut:a") != null);
            master.command("CLIENT", "KILL", "TYPE", "normal");
            replica.resume();
            assertThatThrownBy(asked::join).hasCauseInstanceOf(InsufficientReplicasFailure.class);
        }
    }

    @Test
    void jedisWaitsForReplicasAsWell() {
        withBackend(false, master, options(1), backend -> {
            StoreClient store = new StoreClient(backend, "jedis");
            store.grant("a");
            assertThat(replica.command("EXISTS", "jedis:a")).isEqualTo(1L);
            replica.pause();
            assertThatThrownBy(() -> store.grant("b")).hasRootCauseInstanceOf(InsufficientReplicasFailure.class);
            replica.resume();
        });
    }

    /** Keys of the library's own records would otherwise be those of locks. */
    @Test
    void aNamespaceMayHaveTheNameOfTheLibrary() {
        RedisLockOptions options = options(1).withGracePeriod(Duration.ofSeconds(1));
        try (RedisLocking here = new RedisLocking(
                RedisClient.of(master.port()),
                LockerSettings.of("leasehold").withTtl(Duration.ofSeconds(6)).withCommandTimeout(Duration.ofSeconds(2)),
                options)) {
            for (String key : List.of("master", "instance:1")) {
                here.locker()
                        .lock(LockRequest.of(key).withWaitTime(Duration.ofSeconds(20)))
                        .close();
                here.locker().tryLock(key).orElseThrow().close();
            }
            LockHandle listed = here.locker().lock("instance:2");
            assertThat(StoreClient.await(here.locker().list(10)).locks())
                    .extracting(LockListing.Entry::key)
                    .containsExactly("instance:2");
            listed.close();
        }
    }

    /** Otherwise a replica that becomes the master would let the holder renew. */
    @Test
    void aRevocationWithoutAConfirmationIsUnknown() {
        try (RedisClient client = RedisClient.of(master.port());
                LockBackend backend = RedisLockBackend.of(client.factory(), options(1))) {
            StoreClient store = new StoreClient(backend, "revoked");
            Held held = store.grant("a");
            replica.pause();
            assertThatThrownBy(() -> store.revoke(held.id(), held.firstFence()))
                    .hasRootCauseInstanceOf(InsufficientReplicasFailure.class);
            replica.resume();
            assertThat(StoreClient.await(backend.revoke(held.id(), held.firstFence())))
                    .isEqualTo(Outcome.REVOKED);
        }
    }

    /** Its data may be old, or incomplete while it loads those of its master. */
    @Test
    void aReplicaDoesNotAnswerARevocation() {
        try (RedisClient client = RedisClient.of(replica.port());
                LockBackend backend = RedisLockBackend.of(client.factory(), options(0))) {
            StoreClient store = new StoreClient(backend, "old");
            assertThatThrownBy(() -> store.revoke(store.id("a"), 1))
                    .isInstanceOf(AssertionError.class)
                    .rootCause()
                    .hasMessageContaining("READONLY");
        }
    }

    /**
     * The replica has what they repeat, but no longer answers. Valkey would count it for a connection without a write, as
     * that of a client that has just connected is.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRepeatedChangeWithoutAConfirmationIsUnknown(boolean lettuce) {
        Map<String, Function<LockBackend, CompletionStage<?>>> repetitions = new LinkedHashMap<>();
        withBackend(lettuce, master, options(1), backend -> {
            StoreClient store = new StoreClient(backend, "repeated");
            Held held = store.grant(store.id("held"), StoreClient.LONG.multipliedBy(2));
            Held retained = store.grant("retained");
            store.release(retained, StoreClient.LONG);
            Held revoked = store.grant("revoked");
            assertThat(store.revoke(revoked.id(), revoked.firstFence())).isEqualTo(Outcome.REVOKED);
            repetitions.put(
                    "renewal",
                    other -> other.renew(List.of(new RenewCommand(held.id(), held.token(), StoreClient.LONG))));
            repetitions.put(
                    "grant",
                    other -> other.acquire(new AcquireCommand(held.id(), held.token(), StoreClient.LONG, 1, false)));
            repetitions.put(
                    "release",
                    other -> other.release(
                            new ReleaseCommand(retained.id(), retained.token(), StoreClient.LONG.multipliedBy(2))));
            repetitions.put("revocation", other -> other.revoke(revoked.id(), revoked.firstFence()));
        });
        replica.pause();
        repetitions.forEach((name, repetition) -> withBackend(
                lettuce,
                master,
                options(1),
                backend -> assertThat(repetition.apply(backend).toCompletableFuture())
                        .as(name)
                        .failsWithin(Duration.ofSeconds(20))
                        .withThrowableThat()
                        .withStackTraceContaining("0 of 1 replicas confirmed")));
        replica.resume();
    }

    /** It may be a former master that does not have the leases of the present one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReplicaDeniesNoLease(boolean lettuce) {
        withBackend(lettuce, replica, options(0), backend -> {
            StoreClient store = new StoreClient(backend, "old");
            LockId id = store.id("a");
            Token token = store.token();
            for (CompletionStage<?> asked : List.of(
                    backend.renew(List.of(new RenewCommand(id, token, StoreClient.LONG))),
                    backend.release(new ReleaseCommand(id, token)),
                    backend.describe(id))) {
                assertThat(asked.toCompletableFuture()).failsWithin(Duration.ofSeconds(20));
            }
        });
    }

    /** Over Lettuce, that the master was looked up within the last two seconds suffices. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMasterWhoseReplicasDoNotConfirmDeniesNoLease(boolean lettuce) {
        withBackend(lettuce, master, options(1), backend -> {
            StoreClient store = new StoreClient(backend, "denied");
            store.release(store.grant("a"));
            replica.pause();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> release(store)
                            .handle((answer, failure) -> String.valueOf(failure).contains("0 of 1 replicas confirmed"))
                            .join());
            if (!lettuce) {
                replica.resume();
            }
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> release(store)
                            .handle((answer, failure) -> answer == ReleaseAnswer.NOT_OWNER)
                            .join());
            replica.resume();
        });
    }

    private static CompletableFuture<ReleaseAnswer> release(StoreClient store) {
        return store.backend()
                .release(new ReleaseCommand(store.id("a"), store.token()))
                .toCompletableFuture();
    }

    private static void withBackend(
            boolean lettuce, RedisServer server, RedisLockOptions options, Consumer<LockBackend> test) {
        JedisConnectionFactory jedis =
                new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", server.port()));
        jedis.afterPropertiesSet();
        jedis.start();
        try (RedisClient client = RedisClient.of(server.port());
                LockBackend backend = RedisLockBackend.of(lettuce ? client.factory() : jedis, options)) {
            test.accept(backend);
        } finally {
            jedis.destroy();
        }
    }

    private long waits() {
        String stats = String.valueOf(master.command("INFO", "commandstats"));
        int at = stats.indexOf("cmdstat_wait:calls=");
        return at < 0 ? 0 : Long.parseLong(stats.substring(at + 19, stats.indexOf(',', at)));
    }

    private RedisLocking locking(int replicas) {
        return new RedisLocking(RedisClient.of(master.port()), SETTINGS, options(replicas));
    }

    private static RedisLockOptions options(int replicas) {
        return RedisLockOptions.defaults()
                .withMinReplicas(replicas)
                .withReplicaTimeout(Duration.ofMillis(500))
                .withGracePeriod(Duration.ZERO);
    }
}
