package io.leasehold.redis;

import static org.awaitility.Awaitility.await;

import io.leasehold.LockListener;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** One process that locks in Redis, with its client, backend and engine. */
final class RedisLocking implements AutoCloseable {

    static final Duration TTL = Duration.ofSeconds(3);

    private final RedisClient client;

    private final LockBackend backend;

    private final LockEngine engine;

    private final LeaseLocker locker;

    RedisLocking(int port) {
        this(port, LockerSettings.of("deploy").withTtl(TTL).withCommandTimeout(Duration.ofMillis(500)));
    }

    RedisLocking(int port, LockerSettings settings) {
        this(port, settings, new LockListener() {});
    }

    RedisLocking(int port, LockerSettings settings, LockListener listener) {
        this(RedisClient.of(port), settings, RedisLockOptions.defaults(), listener);
    }

    /** Creates a process over a client that it closes with itself. */
    RedisLocking(RedisClient client, LockerSettings settings, RedisLockOptions options) {
        this(client, settings, options, new LockListener() {});
    }

    private RedisLocking(RedisClient client, LockerSettings settings, RedisLockOptions options, LockListener listener) {
        this.client = client;
        backend = RedisLockBackend.of(client.factory(), options);
        engine = new LockEngine(listener);
        locker = engine.locker(settings, "redis", backend);
        await().atMost(Duration.ofSeconds(40))
                .ignoreExceptions()
                .until(() -> locker.tryLock("warm-up").orElseThrow().release());
    }

    /**
     * Returns a backend whose subscription is already open, so that even on a slow machine the first waiter finds it
     * open.
     */
    static LockBackend readyForWaiters(RedisConnectionFactory factory, RedisLockOptions options) {
        RedisClientAdapter client = RedisLockBackend.client(factory, options);
        client.openSubscription().join();
        return RedisLockBackend.of(client, options, () -> {});
    }

    LockBackend backend() {
        return backend;
    }

    LeaseLocker locker() {
        return locker;
    }

    @Override
    public void close() {
        engine.close();
        backend.close();
        client.close();
    }
}
