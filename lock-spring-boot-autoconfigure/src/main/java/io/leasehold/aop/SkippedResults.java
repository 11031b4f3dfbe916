package io.leasehold.aop;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a call that is skipped returns; {@code null} stands for an empty publisher, too. */
final class SkippedResults {

    private static final Map<Class<?>, Object> EMPTY = Map.of(
            Optional.class, Optional.empty(),
            OptionalInt.class, OptionalInt.empty(),
            OptionalLong.class, OptionalLong.empty(),
            OptionalDouble.class, OptionalDouble.empty());

    private SkippedResults() {}

    static @Nullable Object of(LockSpec spec) {
        return spec.result() == ResultKind.STAGE
                ? CompletableFuture.completedFuture(null)
                : EMPTY.get(spec.method().getReturnType());
    }
}
