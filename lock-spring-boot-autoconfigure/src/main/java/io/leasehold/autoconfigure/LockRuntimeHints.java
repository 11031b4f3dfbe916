package io.leasehold.autoconfigure;

import io.leasehold.autoconfigure.property.LockerProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/** Hints for native images, which cannot detect that entries of {@code lock.lockers} are bound by name. */
final class LockRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        BindableRuntimeHintsRegistrar.forTypes(LockerProperties.class).registerHints(hints, classLoader);
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
