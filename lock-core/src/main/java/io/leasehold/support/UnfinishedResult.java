package io.leasehold.support;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Results of work that go on, or begin, after the work has returned and its lock has ended. */
public final class UnfinishedResult {

    private UnfinishedResult() {}

    /**
     * Rejects a result that is not done. A future or stage that is complete is a value like any other. So is a stream
     * while an outer call or a transaction still holds the lock.
     *
     * @param isHeld whether the lock is held after the call, because the call has joined it or a transaction releases it
     * @param lock describes the lock, as {@code lock 'a' of locker 'b'}
     */
    public static void refuse(@Nullable Object result, BooleanSupplier isHeld, Supplier<String> lock) {
        if (result != null
                && DeferredTypes.contains(result.getClass())
                && !DeferredTypes.isDone(result)
                && !(DeferredTypes.isContinuedByItsReader(result) && isHeld.getAsBoolean())) {
            throw new IllegalStateException("the work under " + lock.get() + " has returned a "
                    + result.getClass().getName()
                    + ", which goes on without the lock. Wait for it inside executeLocked, for example with join(), or"
                    + " use tryLockAsync and release the handle when it is complete. If it needs no lock, return"
                    + " nothing: a lambda returns nothing if its body is in braces");
        }
    }
}
