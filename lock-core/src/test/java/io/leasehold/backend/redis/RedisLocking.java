package io.leasehold.backend.redis;

import static org.awaitility.Awaitility.await;

import io.leasehold.LockListener;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** One process that locks in Redis: client, backend and engine. */
final class RedisLocking implements AutoCloseable {

    static final Duration TTL = Duration.ofSeconds(3);

    private final ClientResources resources = ClientResources.create();

    private final LettuceConnectionFactory factory;

    private final RedisLockBackend backend;

    private final LockEngine engine;

    private final LeaseLocker locker;

    RedisLocking(int port) {
        this(port, LockerSettings.of("deploy").withTtl(TTL).withCommandTimeout(Duration.ofMillis(500)));
    }

    RedisLocking(int port, LockerSettings settings) {
        this(port, settings, new LockListener() {});
    }

    RedisLocking(int port, LockerSettings settings, LockListener listener) {
        factory = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port),
                LettuceClientConfiguration.builder().clientResources(resources).build());
        factory.afterPropertiesSet();
        factory.start();
        backend = new RedisLockBackend(factory, RedisLockOptions.defaults());
        engine = new LockEngine(listener);
        locker = engine.locker(settings, "redis", backend);
        await().ignoreExceptions()
                .until(() -> locker.tryLock("warm-up").orElseThrow().release());
    }

    LeaseLocker locker() {
        return locker;
    }

    @Override
    public void close() {
        engine.close();
        backend.close();
        factory.destroy();
        resources.shutdown();
    }
}
