package io.leasehold.architecture;

import java.util.List;

/** The packages of lock-core and what each of them may see. */
final class LockCoreRooms {

    static final Room API = Room.of("");

    static final Room SPI = Room.of("spi", "");

    static final Room SUPPORT = Room.of("support").with("org.slf4j");

    static final Room ENGINE = Room.of("engine", "", "spi", "support").with("org.slf4j");

    static final Room MEMORY = Room.of("memory", "", "spi");

    static final Room REDLOCK = Room.of("redlock", "", "spi").with("org.slf4j");

    static final Room REDIS = Room.of("redis", "", "spi")
            .with(
                    "org.slf4j",
                    "org.springframework.data.redis",
                    "org.springframework.dao",
                    "io.lettuce.core",
                    "io.netty");

    static final Room JDBC =
            Room.of("jdbc", "", "spi", "support").with("org.slf4j", "javax.sql", "org.postgresql", "com.zaxxer.hikari");

    static final Room ETCD = Room.of("etcd", "", "spi", "etcd.client")
            .with("org.slf4j", "io.etcd.jetcd", "io.grpc", "com.google.protobuf", "com.google.common");

    static final Room ETCD_CLIENT = Room.of("etcd.client", "spi")
            .with("io.etcd.jetcd", "io.grpc", "com.google.protobuf", "com.google.common", "javax.net.ssl");

    static final Room FENCING = Room.of("fencing");

    static final List<Room> ALL =
            List.of(API, SPI, SUPPORT, ENGINE, FENCING, MEMORY, REDLOCK, REDIS, JDBC, ETCD, ETCD_CLIENT);

    private LockCoreRooms() {}
}
