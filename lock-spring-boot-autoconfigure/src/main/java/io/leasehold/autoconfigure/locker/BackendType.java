package io.leasehold.autoconfigure.locker;

import java.util.Arrays;
import java.util.Optional;

/** The built-in stores, and the requirements of each. */
public enum BackendType {
    REDIS(
            "redis",
            "Add lock-spring-boot-starter, or lock-redis and a RedisConnectionFactory bean; or set 'lock.redis.host'."),
    REDLOCK("redlock", "Add lock-spring-boot-starter and list the independent Redis servers in 'lock.redlock.nodes'."),
    JDBC("jdbc", "Add lock-spring-boot-starter-jdbc and a driver, and set 'spring.datasource.url'."),
    ROW_LOCK("row-lock", "Add lock-spring-boot-starter-jdbc and a driver, and set 'spring.datasource.url'."),
    ETCD("etcd", "Add lock-spring-boot-starter-etcd and set 'lock.etcd.endpoints'."),
    MEMORY("memory", "Nothing more is needed; it locks within one JVM only.");

    private final String backend;

    private final String requirement;

    BackendType(String backend, String requirement) {
        this.backend = backend;
        this.requirement = requirement;
    }

    public String backend() {
        return backend;
    }

    public static Optional<String> requirement(String backend) {
        return Arrays.stream(values())
                .filter(known -> known.backend.equals(backend))
                .map(known -> known.requirement)
                .findFirst();
    }
}
