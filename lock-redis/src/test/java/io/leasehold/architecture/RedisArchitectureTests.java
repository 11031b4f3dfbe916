package io.leasehold.architecture;

import io.leasehold.redis.RedisLockBackend;
import java.util.List;

/** The packages of lock-redis and the packages that each of them may see. */
class RedisArchitectureTests extends ArchitectureContract {

    private static final PackageRule REDLOCK =
            PackageRule.of("redlock", "", "spi", "support").with("org.slf4j");

    private static final PackageRule CLIENT = PackageRule.of("redis.client", "spi", "support")
            .with("org.springframework.data.redis", "redis.clients.jedis", "org.apache.commons.pool2", "javax.net.ssl");

    private static final PackageRule LETTUCE = PackageRule.of("redis.lettuce", "spi", "support", "redis.client")
            .with("org.springframework.data.redis", "io.lettuce.core", "io.netty");

    private static final PackageRule FAST_PATH = PackageRule.of(
                    "redis.fastpath", "", "spi", "redis.client", "redis.lettuce")
            .with("io.lettuce.core", "io.netty.buffer");

    private static final PackageRule REDIS = PackageRule.of(
                    "redis", "", "spi", "support", "redis.client", "redis.lettuce", "redis.fastpath")
            .with("org.springframework.data.redis", "org.springframework.dao", "org.slf4j");

    RedisArchitectureTests() {
        super(RedisLockBackend.class, List.of(REDLOCK, CLIENT, LETTUCE, FAST_PATH, REDIS));
    }
}
