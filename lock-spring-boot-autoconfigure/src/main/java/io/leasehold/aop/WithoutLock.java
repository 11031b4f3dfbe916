package io.leasehold.aop;

import io.leasehold.LockBackendException;
import io.leasehold.LockException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.annotation.OnFailure;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** What happens instead of the body if the lock was not acquired. Never the body. */
final class WithoutLock {

    /** Gives what the call returns instead, or throws. */
    @Nullable
    Object handle(LockSpec spec, MethodInvocation invocation, Throwable failure) throws Throwable {
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
}
