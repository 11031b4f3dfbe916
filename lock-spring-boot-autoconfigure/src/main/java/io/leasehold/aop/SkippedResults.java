package io.leasehold.aop;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a call that is skipped returns. */
final class SkippedResults {

    private static final Map<Class<?>, Object> EMPTY = Map.of(
            Optional.class, Optional.empty(),
            OptionalInt.class, OptionalInt.empty(),
            OptionalLong.class, OptionalLong.empty(),
            OptionalDouble.class, OptionalDouble.empty());

    private SkippedResults() {}

    static @Nullable Object of(LockSpec spec) {
        return EMPTY.get(spec.method().getReturnType());
    }
}
