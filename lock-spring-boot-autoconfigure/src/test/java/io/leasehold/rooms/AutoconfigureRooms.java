package io.leasehold.rooms;

import io.leasehold.architecture.Room;
import java.util.List;

/** The packages of this module and what each of them may see. */
final class AutoconfigureRooms {

    /** Sees annotations only: its value is an alias of its key, and native images keep it. */
    static final Room ANNOTATION = Room.of("annotation")
            .with("org.springframework.core.annotation", "org.springframework.aot.hint.annotation");

    static final Room AOP = Room.of("aop", "", "annotation")
            .with(
                    "org.slf4j",
                    "org.aopalliance",
                    "org.aspectj",
                    "org.reactivestreams",
                    "reactor",
                    "kotlin",
                    "kotlinx.coroutines",
                    "org.springframework.aop",
                    "org.springframework.aot",
                    "org.springframework.beans",
                    "org.springframework.context",
                    "org.springframework.core",
                    "org.springframework.expression",
                    "org.springframework.format",
                    "org.springframework.scheduling.annotation",
                    "org.springframework.transaction",
                    "org.springframework.util");

    static final Room EVENT = Room.of("event", "").with("org.slf4j", "org.springframework.context");

    static final Room METRICS = Room.of("metrics", "").with("io.micrometer");

    static final Room ACTUATE = Room.of("actuate", "")
            .with("org.springframework.boot.actuate.endpoint", "org.springframework.boot.health.contributor");

    static final Room RESILIENCE = Room.of("resilience", "", "spi").with("org.slf4j", "io.github.resilience4j");

    /** Wiring sees all rooms, of this module and of lock-core; the rule for it is that nobody sees it. */
    static final Room AUTOCONFIGURE = Room.of(
                    "autoconfigure",
                    "",
                    "spi",
                    "engine",
                    "annotation",
                    "aop",
                    "event",
                    "metrics",
                    "actuate",
                    "resilience",
                    "memory",
                    "redis",
                    "redlock",
                    "jdbc",
                    "etcd")
            .with(
                    "org.slf4j",
                    "org.aspectj.lang",
                    "org.springframework",
                    "io.micrometer",
                    "io.lettuce.core",
                    "io.grpc",
                    "io.github.resilience4j",
                    "io.etcd.jetcd.api",
                    "jakarta.annotation",
                    "javax.sql",
                    "com.zaxxer.hikari",
                    "reactor.core.publisher");

    static final List<Room> ALL = List.of(ANNOTATION, AOP, EVENT, METRICS, ACTUATE, RESILIENCE, AUTOCONFIGURE);

    private AutoconfigureRooms() {}
}
