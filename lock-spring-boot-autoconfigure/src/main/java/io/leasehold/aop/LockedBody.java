package io.leasehold.aop;

import io.leasehold.LockException;
import io.leasehold.LockLostException;
import io.leasehold.annotation.OnLost;
import java.util.Optional;
import java.util.concurrent.Callable;
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
            result = tolerant
                    ? ToleratedLosses.call(locks.own(), () -> proceed(spec, locks, invocation))
                    : proceed(spec, locks, invocation);
        } catch (Throwable ex) {
            failure = ex;
        }
        if (!tolerant) {
            failure = with(failure, Losses.first(locks.all()));
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
        Callable<@Nullable Object> body = asCallable(invocation);
        Callable<@Nullable Object> filled =
                () -> HandleArguments.call(spec, locks, invocation.getArguments(), () -> locks.within(body));
        Callable<@Nullable Object> logged = () -> FencingTokenMdc.call(locks.all(), filled);
        return spec.onLost() == OnLost.INTERRUPT ? BodyInterrupt.call(locks.own(), logged) : logged.call();
    }

    private static Callable<@Nullable Object> asCallable(MethodInvocation invocation) {
        return () -> {
            try {
                return invocation.proceed();
            } catch (Throwable ex) {
                throw LockedBody.<Exception>unchanged(ex);
            }
        };
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchanged(Throwable failure) throws E {
        throw (E) failure;
    }

    private static @Nullable Throwable with(@Nullable Throwable failure, Optional<LockLostException> loss) {
        if (failure == null) {
            return loss.orElse(null);
        }
        loss.filter(one -> !isKnown(failure, one)).ifPresent(failure::addSuppressed);
        return failure;
    }

    private static boolean isKnown(Throwable failure, LockLostException loss) {
        return failure instanceof LockLostException known && isOfSameLock(known, loss);
    }

    private static boolean isOfSameLock(LockException one, LockException other) {
        return one.locker().equals(other.locker()) && one.key().equals(other.key());
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
