package io.leasehold;

import io.leasehold.support.DeferredTypes;
import org.jspecify.annotations.Nullable;

/** Results of work that go on, or begin, after the work has returned and its lock has ended. */
final class UnfinishedResult {

    private UnfinishedResult() {}

    /**
     * Rejects a result that is not done. A future or stage that is complete is a value like any other. So is a stream
     * while an outer call or a transaction still holds the lock.
     *
     * @param handle the lock after the call: held, if the call has joined it or a transaction releases it
     */
    static void refuse(@Nullable Object result, LockHandle handle, Locker locker, LockRequest request) {
        if (result != null
                && DeferredTypes.contains(result.getClass())
                && !DeferredTypes.isDone(result)
                && !(DeferredTypes.isContinuedByItsReader(result) && handle.isHeld())) {
            throw new IllegalStateException("the work under lock '" + locker.visibleKey(request.key()) + "' of locker '"
                    + locker.name() + "' has returned a " + result.getClass().getName()
                    + ", which goes on without the lock. Wait for it inside executeLocked, for example with join(), or"
                    + " use tryLockAsync and release the handle when it is complete. If it needs no lock, return"
                    + " nothing: a lambda returns nothing if its body is in braces");
        }
    }
}
