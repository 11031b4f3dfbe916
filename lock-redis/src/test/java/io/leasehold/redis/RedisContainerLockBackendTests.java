package io.leasehold.redis;

import io.leasehold.servers.TestImage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Redis 8 keeps the contract. */
@Tag("docker")
class RedisContainerLockBackendTests extends RedisContainerContract {

    @BeforeAll
    static void start() {
        start(TestImage.REDIS);
    }
}
