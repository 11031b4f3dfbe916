package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockListener;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** The first lock of a process whose connections take longer to open than the command timeout. */
class SlowConnectTests {

    private static final LockerSettings SETTINGS =
            LockerSettings.of("slow").withTtl(Duration.ofMillis(1_500)).withCommandTimeout(Duration.ofMillis(500));

    private static final long HANDSHAKE_MILLIS = 1_200;

    private final RedisServer redis = RedisServer.start();

    private final FaultProxy proxy = new FaultProxy(redis.port());

    @AfterEach
    void close() {
        proxy.close();
        redis.close();
    }

    @Test
    void overLettuce() {
        try (RedisClient client = RedisClient.of(proxy.port())) {
            assertFirstLock(() -> RedisLockBackend.of(client.factory(), RedisLockOptions.defaults()));
        }
    }

    @Test
    void overLettuceWithReplicas() {
        try (RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + redis.port());
                RedisClient client = RedisClient.of(proxy.port())) {
            org.awaitility.Awaitility.await()
                    .until(() -> String.valueOf(replica.command("INFO", "replication"))
                            .contains("master_link_status:up"));
            assertFirstLock(() -> RedisLockBackend.of(
                    client.factory(),
                    RedisLockOptions.defaults().withMinReplicas(1).withGracePeriod(Duration.ZERO)));
        }
    }

    @Test
    void overJedis() {
        JedisConnectionFactory factory =
                new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", proxy.port()));
        factory.afterPropertiesSet();
        factory.start();
        try {
            assertFirstLock(() -> RedisLockBackend.of(factory, RedisLockOptions.defaults()));
        } finally {
            factory.destroy();
        }
    }

    private void assertFirstLock(Supplier<LockBackend> backend) {
        proxy.set(FaultMode.STALL);
        CompletableFuture.delayedExecutor(HANDSHAKE_MILLIS, TimeUnit.MILLISECONDS)
                .execute(proxy::pass);
        try (LockBackend opened = backend.get();
                LockEngine engine = new LockEngine(new LockListener() {})) {
            long begun = System.nanoTime();
            assertThat(engine.locker(SETTINGS, "redis", opened).tryLock("first"))
                    .isPresent();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(SETTINGS.commandTimeout());
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }
}
