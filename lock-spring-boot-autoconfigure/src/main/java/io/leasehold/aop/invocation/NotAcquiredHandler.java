package io.leasehold.aop.invocation;

import io.leasehold.LockBackendException;
import io.leasehold.LockException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.annotation.OnFailure;
import io.leasehold.aop.spec.Fallback;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.ResultKind;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Replaces the body if the lock was not acquired. Never runs the body. */
public final class NotAcquiredHandler {

    private NotAcquiredHandler() {}

    /** Returns the replacement result of the call, or throws. */
    public static @Nullable Object handle(LockSpec spec, MethodInvocation invocation, Throwable failure)
            throws Throwable {
        if (failure instanceof LockNotAcquiredException || failure instanceof LockBackendException) {
            Fallback fallback = spec.fallback();
            if (fallback != null && fallback.handles().isInstance(failure)) {
                return fallback.call(invocation.getThis(), invocation.getArguments(), (LockException) failure);
            }
            if (spec.onFailure() == OnFailure.SKIP && failure instanceof LockNotAcquiredException) {
                return SkippedResults.of(spec);
            }
        }
        throw failure;
    }

    /** The results of skipped calls; {@code null} also represents an empty publisher. */
    private static final class SkippedResults {

        private static final Map<Class<?>, Object> EMPTY = Map.of(
                Optional.class, Optional.empty(),
                OptionalInt.class, OptionalInt.empty(),
                OptionalLong.class, OptionalLong.empty(),
                OptionalDouble.class, OptionalDouble.empty());

        private SkippedResults() {}

        static @Nullable Object of(LockSpec spec) {
            Object value = EMPTY.get(spec.valueType());
            return spec.result() == ResultKind.STAGE ? CompletableFuture.completedFuture(value) : value;
        }
    }
}
