package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisServer;
import org.junit.jupiter.api.Test;

/** The connections of a process that has released its locks. */
class IdleConnectionsTests {

    @Test
    void theApplicationsConnectionIsNotOpenedForLocks() {
        try (RedisServer redis = RedisServer.start();
                RedisLocking process = new RedisLocking(redis.port(), LockerSettings.of("deploy"))) {
            process.locker().lock("x").close();
            process.backend().inspect().toCompletableFuture().join();
            process.backend().clockMillis().toCompletableFuture().join();
            assertThat(String.valueOf(redis.command("CLIENT", "LIST")).lines())
                    .filteredOn(client -> !client.contains(" cmd=client"))
                    .hasSize(1);
        }
    }
}
