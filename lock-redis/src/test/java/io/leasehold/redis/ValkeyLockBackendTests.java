package io.leasehold.redis;

import io.leasehold.servers.TestImage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Valkey keeps the contract. */
@Tag("docker")
class ValkeyLockBackendTests extends RedisContainerContract {

    @BeforeAll
    static void start() {
        start(TestImage.VALKEY);
    }
}
