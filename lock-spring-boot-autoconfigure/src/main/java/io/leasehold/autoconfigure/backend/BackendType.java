package io.leasehold.autoconfigure.backend;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** The built-in stores, and the requirements of each. */
public enum BackendType {
    REDIS(
            "redis",
            "Add lock-spring-boot-starter, or lock-redis and a RedisConnectionFactory bean.",
            "lock.redis.host",
            "lock.redis.url",
            "lock.redis.connection-factory"),
    REDLOCK(
            "redlock",
            "Add lock-spring-boot-starter and list the independent Redis servers in 'lock.redlock.nodes'.",
            "lock.redlock.nodes[0].host"),
    JDBC(
            "jdbc",
            "Add lock-spring-boot-starter-jdbc and a driver, and set 'spring.datasource.url'.",
            "lock.jdbc.url",
            "lock.jdbc.data-source"),
    ROW_LOCK(
            "row-lock",
            "Add lock-spring-boot-starter-jdbc and a driver, and set 'spring.datasource.url'.",
            "lock.row-lock.url",
            "lock.row-lock.data-source"),
    ETCD("etcd", "Add lock-spring-boot-starter-etcd and set 'lock.etcd.endpoints'.", "lock.etcd.endpoints"),
    MEMORY("memory", "Nothing more is needed; it locks within one JVM only.");

    private final String backend;

    private final String requirement;

    private final List<String> addresses;

    BackendType(String backend, String requirement, String... addresses) {
        this.backend = backend;
        this.requirement = requirement;
        this.addresses = List.of(addresses);
    }

    /** The property that says where the store is, if one is set. */
    Optional<String> addressIn(Environment environment) {
        return addresses.stream()
                .filter(address ->
                        Binder.get(environment).bind(address, Bindable.listOf(String.class)).orElse(List.of()).stream()
                                .anyMatch(StringUtils::hasText))
                .findFirst();
    }

    public String backend() {
        return backend;
    }

    /** A property that says where the store is; none for the one in memory. */
    Optional<String> address() {
        return addresses.stream().findFirst();
    }

    String requirement() {
        return requirement;
    }

    static Optional<BackendType> of(String backend) {
        return Arrays.stream(values())
                .filter(known -> known.backend.equals(backend))
                .findFirst();
    }
}
