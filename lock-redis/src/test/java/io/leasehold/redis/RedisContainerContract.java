package io.leasehold.redis;

import io.leasehold.contract.LockBackendContract;
import io.leasehold.servers.TestImage;
import io.leasehold.servers.redis.RedisContainer;
import io.leasehold.spi.LockBackend;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.springframework.data.redis.connection.RedisConnection;

/** The contract over Lettuce, on a server that is available here as an image only. */
abstract class RedisContainerContract extends LockBackendContract {

    private static RedisContainer server;

    private static RedisClient client;

    static void start(TestImage image) {
        server = RedisContainer.start(image);
        client = RedisClient.of(server);
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Override
    protected LockBackend create() {
        return RedisLocking.readyForWaiters(client.factory(), RedisLockOptions.defaults());
    }

    @Override
    public void wipe() {
        try (RedisConnection connection = client.factory().getConnection()) {
            connection.serverCommands().flushAll();
        }
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }
}
