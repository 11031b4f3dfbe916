package io.leasehold.faults;

import io.leasehold.LockListener;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.redis.RedisLockBackend;
import io.leasehold.redis.RedisLockOptions;
import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.FaultProxy;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The parts of one process: a client, a backend and an engine, behind a network of its own. */
final class RedisProcess implements AutoCloseable {

    private final FaultProxy network;

    private final LettuceConnectionFactory client;

    private final LockBackend backend;

    private final LockEngine engine = new LockEngine(new LockListener() {});

    private final LeaseLocker locker;

    RedisProcess(int redisPort, LockerSettings settings) {
        network = new FaultProxy(redisPort);
        client = new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", network.port()));
        client.afterPropertiesSet();
        client.start();
        backend = RedisLockBackend.of(client, RedisLockOptions.defaults());
        locker = engine.locker(settings, "redis", backend);
    }

    FaultProxy network() {
        return network;
    }

    LeaseLocker locker() {
        return locker;
    }

    @Override
    public void close() {
        network.pass();
        engine.close();
        backend.close();
        client.destroy();
        network.close();
    }
}
