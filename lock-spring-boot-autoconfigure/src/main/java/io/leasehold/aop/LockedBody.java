package io.leasehold.aop;

import io.leasehold.annotation.OnLost;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Runs a body under locks that were taken for it, on the thread of the caller, and ends the hold.
 *
 * <p>What the body throws wins over everything that is wrong with the locks.
 */
final class LockedBody {

    private final TransactionBinding transactions;

    LockedBody(TransactionBinding transactions) {
        this.transactions = transactions;
    }

    @Nullable
    Object run(LockSpec spec, HeldLocks locks, MethodInvocation invocation) throws Throwable {
        boolean tolerant = spec.onLost() == OnLost.EVENT;
        boolean releaseHere = true;
        Object result = null;
        Throwable failure = null;
        try {
            releaseHere = locks.own().isEmpty() || !transactions.takeOver(locks.own(), !tolerant);
            result = proceed(spec, locks, invocation);
            ResultKinds.requireDone(spec.method(), result);
        } catch (Throwable ex) {
            failure = ex;
        }
        if (!tolerant) {
            failure = Outcomes.failure(failure, Losses.first(locks.all()));
        }
        if (releaseHere) {
            failure = release(locks, failure);
        }
        if (failure != null) {
            throw failure;
        }
        return result;
    }

    private static @Nullable Object proceed(LockSpec spec, HeldLocks locks, MethodInvocation invocation)
            throws Exception {
        return switch (spec.onLost()) {
            case THROW -> BodyCall.proceed(spec, locks, invocation);
            case INTERRUPT -> BodyInterrupt.call(locks.own(), () -> BodyCall.proceed(spec, locks, invocation));
            case EVENT -> ToleratedLosses.call(locks.own(), () -> BodyCall.proceed(spec, locks, invocation));
        };
    }

    private static @Nullable Throwable release(HeldLocks locks, @Nullable Throwable failure) {
        try {
            Releases.releaseAll(locks.own());
            return failure;
        } catch (RuntimeException ex) {
            if (failure == null) {
                return ex;
            }
            failure.addSuppressed(ex);
            return failure;
        }
    }
}
