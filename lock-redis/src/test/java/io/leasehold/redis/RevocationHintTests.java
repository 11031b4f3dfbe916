package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockLostException;
import io.leasehold.LockState;
import io.leasehold.LossReason;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The holder in another process is notified of a forced release long before its next renewal, if its process listens. */
class RevocationHintTests {

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final String CHANNEL = "lock-turns:revoked";

    private static final LockerSettings SETTINGS =
            LockerSettings.of("deploy").withTtl(Duration.ofMinutes(10)).withForceRelease(true);

    private final RedisServer redis = RedisServer.shared();

    private final List<AutoCloseable> open = new ArrayList<>();

    private final List<LossReason> losses = new CopyOnWriteArrayList<>();

    @BeforeEach
    void flush() {
        redis.command("FLUSHALL");
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void theHolderIsNotifiedIfItsProcessListens() {
        LeaseLocker here = listening();
        hold(here, "x");

        revoke(locker(RedisUser.documented()), "x");

        await().atMost(DEADLINE).untilAsserted(() -> assertThat(losses).containsExactly(LossReason.REVOKED));
    }

    @Test
    void theHolderIsNotifiedIfItsProcessOnceWaitedForAnotherLock() {
        LeaseLocker here = locker(RedisUser.documented());
        LeaseLocker there = locker(RedisUser.documented());
        LockHandle busy = there.lock("busy");
        await().atMost(DEADLINE).until(() -> {
            assertThat(here.tryLock("busy", Duration.ofMillis(300))).isEmpty();
            return redis.command("PUBSUB", "CHANNELS", "lock-turns:*") instanceof List<?> some && !some.isEmpty();
        });
        busy.release();
        hold(here, "x");

        revoke(there, "x");

        await().atMost(DEADLINE).untilAsserted(() -> assertThat(losses).containsExactly(LossReason.REVOKED));
    }

    @Test
    void aHolderWhoseProcessNeverWaitedIsNotifiedByItsRenewal() {
        LeaseLocker here = locker(RedisUser.documented());
        LockHandle held = hold(here, "x");

        revoke(locker(RedisUser.documented()), "x");

        assertThat(redis.command("PUBSUB", "NUMSUB", CHANNEL)).isEqualTo(List.of(CHANNEL, 0L));
        assertThat(held.isHeld()).isTrue();
        assertIsLostByRenewal(held);
    }

    @Test
    void aForcedReleaseWithoutTheRightToPublishIsCarriedOut() {
        LeaseLocker here = listening();
        LockHandle held = hold(here, "x");

        revoke(locker(RedisUser.documented().without("+publish")), "x");

        assertThat(held.isHeld()).isTrue();
        assertIsLostByRenewal(held);
    }

    @Test
    void aForcedReleaseWithoutTheRightToTheChannelIsCarriedOut() {
        LeaseLocker here = listening();
        LockHandle held = hold(here, "x");

        revoke(locker(RedisUser.documented().without("&lock-turns:*")), "x");

        assertThat(held.isHeld()).isTrue();
        assertIsLostByRenewal(held);
    }

    @Test
    void messagesOfOthersOnlyRenewALock() {
        LeaseLocker here = listening();
        LockHandle held = hold(here, "x");
        String token = (String) redis.command("GET", "deploy:x");
        String end = token.substring(16, 32);

        for (String message : List.of("", "x", "lost", token, end + end, "-1", end.toUpperCase(), end, end, end)) {
            redis.command("PUBLISH", CHANNEL, message);
        }

        await().atMost(DEADLINE).until(() -> here.status().holds().get(0).renewals() > 0);
        assertThat(held.isHeld()).isTrue();
        assertThat(losses).isEmpty();
        revoke(locker(RedisUser.documented()), "x");
        await().atMost(DEADLINE).untilAsserted(() -> assertThat(losses).containsExactly(LossReason.REVOKED));
    }

    /** The process that asks has the answer; the hint tells other processes nothing that lets them end the lease. */
    @Test
    void aMessageDoesNotSufficeToReleaseTheLease() {
        LeaseLocker here = listening();
        hold(here, "x");
        List<String> seen = new CopyOnWriteArrayList<>();
        String token = (String) redis.command("GET", "deploy:x");
        LettuceConnectionFactory factory = factory(RedisUser.documented());
        factory.getConnection()
                .subscribe((message, pattern) -> seen.add(new String(message.getBody())), CHANNEL.getBytes());

        revoke(locker(RedisUser.documented()), "x");

        await().atMost(DEADLINE).untilAsserted(() -> assertThat(seen).isNotEmpty());
        assertThat(seen).containsExactly(token.substring(16, 32));
    }

    private LockHandle hold(LeaseLocker locker, String key) {
        LockHandle handle = locker.lock(key);
        handle.onLost(losses::add);
        return handle;
    }

    private void assertIsLostByRenewal(LockHandle held) {
        assertThatThrownBy(held::renew).isInstanceOf(LockLostException.class).hasMessageContaining("a forced release");
        await().atMost(DEADLINE).untilAsserted(() -> assertThat(losses).containsExactly(LossReason.REVOKED));
    }

    private static void revoke(LeaseLocker locker, String key) {
        LockState.Held state = (LockState.Held) StoreClient.await(locker.describe(key));
        assertThat(StoreClient.await(
                                locker.forceRelease(key, state.fencingToken().orElseThrow(), "a test"))
                        .outcome())
                .isEqualTo(Outcome.REVOKED);
    }

    /** A process whose connection for messages is open, as after the first wait for a lock. */
    private LeaseLocker listening() {
        return locker(RedisLocking.readyForWaiters(factory(RedisUser.documented()), RedisLockOptions.defaults()));
    }

    private LeaseLocker locker(RedisUser user) {
        return locker(RedisLockBackend.of(factory(user), RedisLockOptions.defaults()));
    }

    private LeaseLocker locker(LockBackend backend) {
        open.add(backend);
        LockEngine engine = new LockEngine(new LockListener() {});
        open.add(engine);
        return engine.locker(SETTINGS, "redis", backend);
    }

    private LettuceConnectionFactory factory(RedisUser user) {
        String name = "hints-" + open.size();
        user.create(redis, name);
        open.add(() -> redis.command("ACL", "DELUSER", name));
        LettuceConnectionFactory factory = new LettuceConnectionFactory(RedisUser.at(redis, name));
        factory.afterPropertiesSet();
        factory.start();
        open.add(factory::destroy);
        return factory;
    }
}
