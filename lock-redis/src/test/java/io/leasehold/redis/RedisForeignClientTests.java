package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.FreePort;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Other users of the same keys: clients of the same algorithm, and programs that know nothing of locks. */
class RedisForeignClientTests {

    private final RedisServer redis = RedisServer.shared();

    private final RedisLocking here = new RedisLocking(redis.port());

    @BeforeEach
    void flush() {
        redis.command("FLUSHALL");
    }

    @AfterEach
    void close() {
        here.close();
    }

    @Test
    void aForeignHolderExcludesUs() {
        assertThat(redis.command("SET", "deploy:x", "foreign", "NX", "PX", "600"))
                .isEqualTo("OK");
        assertThat(here.locker().tryLock("x")).isEmpty();
        assertThat(here.locker().tryLock("x", Duration.ofSeconds(3))).isPresent();
    }

    @Test
    void weExcludeAForeignClient() {
        LockHandle lock = here.locker().lock("x");
        assertThat(redis.command("SET", "deploy:x", "foreign", "NX", "PX", "5000"))
                .isNull();
        lock.close();
        assertThat(redis.command("SET", "deploy:x", "foreign", "NX", "PX", "5000"))
                .isEqualTo("OK");
    }

    @Test
    void aForeignHolderWithoutATtlIsWaitedForAndNotRemoved() {
        redis.command("SET", "deploy:x", "for ever");
        assertThat(here.locker().tryLock("x", Duration.ofMillis(300))).isEmpty();
        assertThat(redis.command("GET", "deploy:x")).isEqualTo("for ever");
    }

    @Test
    void aLockTakenByAForeignClientIsLostAtTheNextRenewal() {
        LockHandle lock = here.locker().lock("x");
        AtomicReference<LossReason> told = new AtomicReference<>();
        lock.onLost(told::set);
        redis.command("SET", "deploy:x", "foreign", "PX", "60000");
        await().atMost(RedisLocking.TTL).untilAtomic(told, is(LossReason.NOT_OWNER));
        assertThat(lock.release()).isFalse();
        assertThat(redis.command("GET", "deploy:x")).isEqualTo("foreign");
    }

    @Test
    void aKeyOfAnotherTypeIsAnErrorThatNamesItAndIsLeftAlone() {
        redis.command("HSET", "deploy:x", "field", "value");
        assertThatThrownBy(() -> here.locker().lock("x"))
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("'x'")
                .hasMessageContaining("WRONGTYPE")
                .hasMessageContaining("choose another namespace");
        assertThat(redis.command("TYPE", "deploy:x")).isEqualTo("hash");
        assertThat(here.locker().tryLock("y")).isPresent();
    }

    @Test
    void onlyTheFenceIsLeftAfterARelease() {
        here.locker().lock("x").close();
        assertThat(redis.command("KEYS", "*deploy*")).asInstanceOf(LIST).containsExactly("{deploy:x}:fence");
        assertThat((Long) redis.command("PTTL", "{deploy:x}:fence")).isBetween(3_590_000L, 3_600_001L);
    }

    @Test
    void aFactoryThatHidesWhereItConnectsToIsRefused() {
        try (RedisServer elsewhere = RedisServer.start()) {
            assertRefused(elsewhere.port(), "another Redis than its configuration says");
            assertThat(elsewhere.command("DBSIZE")).isEqualTo(0L);
        }
    }

    /** The configuration of a factory with fixed replicas names localhost:6379, which nobody has chosen. */
    @Test
    void aFactoryThatHidesWhereItConnectsToIsNamedIfNothingListensWhereItSays() {
        int nowhere = FreePort.find();
        assertRefused(nowhere, "127.0.0.1:" + nowhere);
    }

    /** The user of the application belongs to the hidden server. The one here has no users. */
    @Test
    void aFactoryThatHidesWhereItConnectsToIsRefusedIfOnlyOneServerSaysWhichOneItIs() {
        RedisUser.documented().without("+info").create(redis, "locks");
        try (RedisServer elsewhere = RedisServer.start()) {
            assertRefused(RedisUser.at(redis, "locks"), elsewhere.port(), "another Redis than its configuration says");
            assertThat(elsewhere.command("DBSIZE")).isEqualTo(0L);
        } finally {
            redis.command("ACL", "DELUSER", "locks");
        }
    }

    /** The user of a Redis on localhost may lack the right. The host differs from the one that the factory says. */
    @Test
    void aServerThatTellsNeitherUserWhichOneItIsIsUsed() {
        RedisUser.documented().without("+info").create(redis, "locks");
        RedisConfiguration general = RedisUser.at(redis, "locks");
        LettuceConnectionFactory factory = new LettuceConnectionFactory(general);
        factory.getStandaloneConfiguration().setPort(redis.port());
        factory.getStandaloneConfiguration().setUsername("locks");
        factory.getStandaloneConfiguration().setPassword("secret");
        factory.afterPropertiesSet();
        factory.start();
        LockBackend backend = RedisLockBackend.of(factory, RedisLockOptions.defaults());
        try (LockEngine engine = new LockEngine(new LockListener() {})) {
            LeaseLocker locker = engine.locker(LockerSettings.of("deploy"), "redis", backend);
            assertThat(locker.tryLock("x")).isPresent();
        } finally {
            backend.close();
            factory.destroy();
            redis.command("ACL", "DELUSER", "locks");
        }
    }

    private void assertRefused(int exposedPort, String reason) {
        assertRefused(new RedisStandaloneConfiguration(redis.host(), redis.port()), exposedPort, reason);
    }

    private void assertRefused(RedisConfiguration general, int exposedPort, String reason) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(general);
        factory.getStandaloneConfiguration().setHostName(redis.host());
        factory.getStandaloneConfiguration().setPort(exposedPort);
        factory.afterPropertiesSet();
        factory.start();
        LockBackend backend = RedisLockBackend.of(factory, RedisLockOptions.defaults());
        try (LockEngine engine = new LockEngine(new LockListener() {})) {
            LeaseLocker locker = engine.locker(LockerSettings.of("deploy"), "redis", backend);
            assertThatThrownBy(() -> locker.tryLock("x"))
                    .isInstanceOf(LockBackendException.class)
                    .hasMessageContaining(reason)
                    .hasMessageContaining("lock.redis.connection-factory");
            assertThatThrownBy(backend.inspect().toCompletableFuture()::join)
                    .hasMessageContaining("lock.redis.connection-factory");
        } finally {
            backend.close();
            factory.destroy();
        }
    }
}
