package io.leasehold.architecture;

import io.leasehold.redis.RedisLockBackend;
import java.util.List;

/** The packages of lock-redis and what each of them may see. */
class RedisArchitectureTests extends ArchitectureContract {

    private static final Room REDLOCK = Room.of("redlock", "", "spi", "support").with("org.slf4j");

    private static final Room REDIS = Room.of("redis", "", "spi")
            .with(
                    "org.slf4j",
                    "org.springframework.data.redis",
                    "org.springframework.dao",
                    "io.lettuce.core",
                    "io.netty");

    RedisArchitectureTests() {
        super(RedisLockBackend.class, List.of(REDLOCK, REDIS));
    }
}
