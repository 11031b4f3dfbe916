package io.leasehold.architecture;

import java.util.List;

/** The packages of this module and what each of them may see. */
final class AutoconfigurePackages {

    /** Sees annotations only: its value is an alias of its key, and native images keep it. */
    static final PackageRule ANNOTATION = PackageRule.of("annotation")
            .with("org.springframework.core.annotation", "org.springframework.aot.hint.annotation");

    /** What an annotation says; sees nothing else of the aspect. */
    static final PackageRule AOP_SPEC = PackageRule.of("aop.spec", "", "support", "annotation")
            .with(
                    "org.springframework.aop",
                    "org.springframework.core",
                    "org.springframework.expression",
                    "org.springframework.format",
                    // a response may contain what goes on after the call
                    "org.springframework.http",
                    "org.springframework.scheduling.annotation",
                    "org.springframework.util",
                    // so may one of a functional endpoint, and the model of a view
                    "org.springframework.ui",
                    "org.springframework.web.reactive.function.server",
                    "org.springframework.web.reactive.result.view",
                    "org.springframework.web.servlet.function");

    /** One call under its lock, without transactions and publishers. */
    static final PackageRule AOP_INVOCATION = PackageRule.of(
                    "aop.invocation", "", "annotation", "aop.spec", "observation")
            .with(
                    "org.slf4j",
                    "org.aopalliance",
                    "org.springframework.aop",
                    "org.springframework.context.i18n",
                    "org.springframework.core.task");

    static final PackageRule AOP_TRANSACTION = PackageRule.of("aop.transaction", "", "aop.invocation", "locker")
            .with(
                    "org.slf4j",
                    "org.springframework.aop.framework",
                    "org.springframework.beans",
                    "org.springframework.core",
                    "org.springframework.transaction",
                    "org.springframework.util");

    static final PackageRule AOP_REACTIVE = PackageRule.of(
                    "aop.reactive",
                    "",
                    "support",
                    "annotation",
                    "aop.spec",
                    "aop.invocation",
                    "aop.transaction",
                    "observation")
            .with(
                    "org.slf4j",
                    "org.aopalliance",
                    "kotlin",
                    "kotlinx.coroutines",
                    "org.reactivestreams",
                    "reactor",
                    "org.springframework.aop",
                    "org.springframework.beans",
                    "org.springframework.core",
                    "org.springframework.transaction",
                    "org.springframework.util");

    /** The doors to the aspect. */
    static final PackageRule AOP = PackageRule.of(
                    "aop", "", "annotation", "aop.spec", "aop.invocation", "aop.transaction", "aop.reactive")
            .with(
                    "org.aopalliance",
                    "org.aspectj",
                    "org.slf4j",
                    "org.springframework.aop",
                    "org.springframework.core",
                    "org.springframework.util");

    /** Looks at beans before they are called; only the wiring sees it. */
    static final PackageRule AOP_VALIDATION = PackageRule.of(
                    "aop.validation", "", "support", "annotation", "aop", "aop.spec", "aop.invocation")
            .with(
                    "org.aopalliance",
                    "org.slf4j",
                    "org.springframework.aop",
                    "org.springframework.aot",
                    "org.springframework.beans",
                    "org.springframework.cache.interceptor",
                    "org.springframework.core",
                    "org.springframework.transaction",
                    "org.springframework.util");

    /** Arranges the advice of proxies; only the wiring sees it. */
    static final PackageRule AOP_ORDER = PackageRule.of("aop.order", "aop")
            .with(
                    "org.aopalliance",
                    "org.springframework.aop",
                    "org.springframework.beans",
                    "org.springframework.cache.interceptor",
                    "org.springframework.core");

    static final PackageRule EVENT =
            PackageRule.of("event", "", "support").with("org.slf4j", "org.springframework.context");

    static final PackageRule METRICS = PackageRule.of("metrics", "").with("io.micrometer");

    static final PackageRule OBSERVATION = PackageRule.of("observation", "").with("io.micrometer");

    static final PackageRule ACTUATE = PackageRule.of("actuate", "")
            .with("org.springframework.boot.actuate.endpoint", "org.springframework.boot.health.contributor");

    static final PackageRule RESILIENCE =
            PackageRule.of("resilience", "", "support", "spi").with("org.slf4j", "io.github.resilience4j");

    static final PackageRule SHEDLOCK =
            PackageRule.of("adapter.shedlock", "", "support").with("org.slf4j", "net.javacrumbs.shedlock");

    static final PackageRule INTEGRATION = PackageRule.of("adapter.integration", "", "support")
            .with("org.springframework.integration.support.locks", "org.springframework.integration.util");

    /** Found by the service loader; sees no bean. */
    static final PackageRule CONTEXT = PackageRule.of("context", "").with("org.slf4j", "io.micrometer.context");

    /** What an application implements and calls to adjust lockers in code. */
    static final PackageRule LOCKER_API = PackageRule.of("locker", "", "engine");

    static final PackageRule CACHE = PackageRule.of("adapter.cache", "", "support", "annotation", "aop.invocation")
            .with("org.slf4j", "org.springframework.cache", "org.springframework.beans.factory");

    /** What the properties say. No other package of the wiring. */
    static final PackageRule PROPERTY = PackageRule.of("autoconfigure.property", "", "spi", "support", "event")
            .with("org.slf4j", "org.springframework");

    static final PackageRule BACKEND = PackageRule.of(
                    "autoconfigure.backend", "", "spi", "support", "engine", "autoconfigure.property")
            .with("org.slf4j", "org.springframework");

    static final PackageRule LOCKER = PackageRule.of(
                    "autoconfigure.locker",
                    "",
                    "spi",
                    "support",
                    "engine",
                    "locker",
                    "aop.invocation",
                    "aop.transaction",
                    "autoconfigure.property",
                    "autoconfigure.backend")
            .with("org.slf4j", "org.springframework");

    static final PackageRule REDIS = PackageRule.of(
                    "autoconfigure.redis",
                    "",
                    "spi",
                    "engine",
                    "redis",
                    "redlock",
                    "autoconfigure.property",
                    "autoconfigure.backend")
            .with("org.slf4j", "io.lettuce.core", "org.springframework");

    static final PackageRule JDBC = PackageRule.of(
                    "autoconfigure.jdbc",
                    "",
                    "spi",
                    "support",
                    "jdbc",
                    "jdbc.row",
                    "metrics",
                    "autoconfigure.property",
                    "autoconfigure.backend")
            .with("org.slf4j", "org.springframework", "javax.sql", "com.zaxxer.hikari", "io.micrometer");

    static final PackageRule ETCD = PackageRule.of(
                    "autoconfigure.etcd", "", "spi", "etcd", "autoconfigure.property", "autoconfigure.backend")
            .with("io.etcd.jetcd.api", "io.grpc", "io.netty.handler.ssl", "javax.net.ssl", "org.springframework");

    static final PackageRule ADAPTER = PackageRule.of(
                    "autoconfigure.adapter",
                    "",
                    "annotation",
                    "engine",
                    "aop.invocation",
                    "adapter.cache",
                    "adapter.shedlock",
                    "adapter.integration",
                    "autoconfigure.property",
                    "autoconfigure.locker")
            .with("org.slf4j", "net.javacrumbs.shedlock", "org.springframework");

    static final PackageRule DIAGNOSTICS = PackageRule.of(
                    "autoconfigure.diagnostics",
                    "",
                    "support",
                    "aop.spec",
                    "locker",
                    "autoconfigure.property",
                    "autoconfigure.locker")
            .with("org.springframework");

    static final PackageRule WEB = PackageRule.of("autoconfigure.web", "", "aop.spec", "autoconfigure.property")
            .with("jakarta.servlet", "reactor.core.publisher", "org.springframework");

    /** Uses all packages of this module, and of the stores the one in memory. No other package may use it. */
    static final PackageRule AUTOCONFIGURE = PackageRule.of(
                    "autoconfigure",
                    "",
                    "spi",
                    "support",
                    "engine",
                    "annotation",
                    "aop",
                    "aop.spec",
                    "aop.invocation",
                    "aop.transaction",
                    "aop.reactive",
                    "aop.validation",
                    "aop.order",
                    "event",
                    "metrics",
                    "observation",
                    "jfr",
                    "actuate",
                    "resilience",
                    "locker",
                    "memory",
                    "autoconfigure.property",
                    "autoconfigure.backend",
                    "autoconfigure.locker",
                    "autoconfigure.redis",
                    "autoconfigure.jdbc",
                    "autoconfigure.etcd")
            .with(
                    "org.slf4j",
                    "org.aspectj.lang",
                    "org.springframework",
                    "io.micrometer",
                    "io.github.resilience4j",
                    "reactor.core.publisher");

    static final List<PackageRule> ALL = List.of(
            ANNOTATION,
            AOP_SPEC,
            AOP_INVOCATION,
            AOP_TRANSACTION,
            AOP_REACTIVE,
            AOP,
            AOP_VALIDATION,
            AOP_ORDER,
            EVENT,
            METRICS,
            OBSERVATION,
            ACTUATE,
            RESILIENCE,
            SHEDLOCK,
            INTEGRATION,
            LOCKER_API,
            CACHE,
            CONTEXT,
            PROPERTY,
            BACKEND,
            LOCKER,
            REDIS,
            JDBC,
            ETCD,
            ADAPTER,
            WEB,
            DIAGNOSTICS,
            AUTOCONFIGURE);

    private AutoconfigurePackages() {}
}
