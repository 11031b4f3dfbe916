package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The password of the user changes while an application runs, and its connections end afterwards. */
class RotatedPasswordTests {

    private static RedisServer master;

    private static RedisServer replica;

    @BeforeAll
    static void start() {
        master = RedisServer.start("repl-diskless-sync-delay 0");
        replica = RedisServer.start("repl-diskless-sync-delay 0", "replicaof 127.0.0.1 " + master.port());
        await().atMost(Duration.ofSeconds(30)).until(() -> master.hasReplicas(1));
    }

    @AfterAll
    static void stop() {
        replica.close();
        master.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aLockThatIsNotAcquiredNamesTheRefusal(int replicas) {
        master.command("ACL", "SETUSER", "locks", "reset", "on", ">secret", "~*", "&*", "+@all");
        LettuceConnectionFactory factory = new LettuceConnectionFactory(RedisUser.at(master, "locks"));
        factory.afterPropertiesSet();
        factory.start();
        RedisLockOptions options =
                RedisLockOptions.defaults().withMinReplicas(replicas).withGracePeriod(Duration.ZERO);
        try (LockBackend backend = RedisLockBackend.of(factory, options);
                LockEngine engine = new LockEngine(new LockListener() {})) {
            Locker locker = engine.locker(
                    LockerSettings.of("deploy").withCommandTimeout(Duration.ofSeconds(5)), "redis", backend);
            // the client's first connection may take long
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsInstanceOf(LockBackendException.class)
                    .untilAsserted(() -> locker.lock("a").close());

            master.command("ACL", "SETUSER", "locks", ">other", "<secret");
            master.command("CLIENT", "KILL", "USER", "locks");

            assertThat(await().atMost(Duration.ofSeconds(60))
                            .until(
                                    () -> catchThrowable(() -> locker.tryLock("b")),
                                    failure -> String.valueOf(failure).contains("WRONGPASS")))
                    .isInstanceOf(LockBackendException.class)
                    .hasMessageContaining("no connection to Redis: Unable to connect to ")
                    .hasMessageContaining("127.0.0.1:" + master.port() + ": WRONGPASS")
                    .hasMessageContaining("check spring.data.redis.username and .password");

            master.command("ACL", "SETUSER", "locks", ">secret");
            try (LockHandle lock = locker.tryLock("b", Duration.ofSeconds(30)).orElseThrow()) {
                assertThat(lock.isHeld()).isTrue();
            }
        } finally {
            factory.destroy();
        }
    }
}
