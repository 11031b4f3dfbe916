package io.leasehold.redlock;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Five real servers together satisfy the contract. */
class RedisLockBackendTests extends LockBackendContract {

    private static final RedlockLockOptions OPTIONS =
            new RedlockLockOptions(Duration.ofSeconds(5), Duration.ofDays(31));

    @SuppressWarnings("NullAway.Init")
    private static FiveRedis redis;

    @BeforeAll
    static void start() {
        redis = new FiveRedis();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Override
    protected LockBackend create() {
        RedlockLockBackend backend = redis.direct(OPTIONS);
        // asks all nodes: with a connection that opens late, a vote of another process may arrive before the first
        // grant
        StoreClient.await(backend.inspect());
        return backend;
    }

    @Override
    public void wipe() {
        redis.servers.forEach(server -> server.command("FLUSHALL"));
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.HOLDERS, Capability.REVOCATION);
    }

    @Override
    public boolean concurrentRepeatsAgree() {
        return false;
    }
}
