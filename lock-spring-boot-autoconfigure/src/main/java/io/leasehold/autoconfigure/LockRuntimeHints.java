package io.leasehold.autoconfigure;

import io.leasehold.actuate.StoreProbe;
import io.leasehold.autoconfigure.property.LockerProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * Hints for native images. They cannot detect that entries of {@code lock.lockers} are bound by name, that the details of
 * the health are written as JSON, and which classes are found by name.
 */
final class LockRuntimeHints implements RuntimeHintsRegistrar {

    /** A native image takes a library for absent that is detected by a class without a hint. */
    private static final List<String> DETECTED = List.of(
            "com.zaxxer.hikari.HikariDataSource",
            "io.leasehold.etcd.EtcdLockBackend",
            "io.leasehold.redis.RedisLockBackend",
            "io.lettuce.core.RedisClient",
            "io.micrometer.context.ContextSnapshotFactory",
            "io.micrometer.observation.Observation",
            "kotlin.reflect.full.KClassifiers",
            "kotlinx.coroutines.reactor.MonoKt",
            "kotlinx.coroutines.reactor.ReactorContext",
            "net.javacrumbs.shedlock.core.LockProvider",
            "org.aspectj.lang.Aspects",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails",
            "org.springframework.boot.jdbc.DataSourceUnwrapper",
            "org.springframework.cache.CacheManager",
            "org.springframework.http.HttpEntity",
            "org.springframework.integration.support.locks.LockRegistry",
            "org.springframework.transaction.interceptor.TransactionInterceptor",
            "org.springframework.transaction.reactive.TransactionContext",
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            "org.springframework.web.reactive.function.server.EntityResponse",
            "org.springframework.web.servlet.function.EntityResponse");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        BindableRuntimeHintsRegistrar.forTypes(LockerProperties.class).registerHints(hints, classLoader);
        new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), StoreProbe.StoreState.class);
        DETECTED.forEach(name -> hints.reflection().registerTypeIfPresent(classLoader, name));
        hints.resources()
                .registerPattern("io/leasehold/redis/*.lua")
                .registerPattern("io/leasehold/redis/fastpath/*.lua")
                .registerPattern("io/leasehold/jdbc/*.sql");
        hints.reflection()
                .registerTypeIfPresent(
                        classLoader,
                        "org.springframework.data.redis.connection.jedis.JedisConnectionFactory",
                        type -> type.withMethod(
                                        "setUseUnifiedJedis",
                                        List.of(TypeReference.of(boolean.class)),
                                        ExecutableMode.INVOKE)
                                .withMethod("isUseUnifiedJedis", List.of(), ExecutableMode.INVOKE));
    }
}
