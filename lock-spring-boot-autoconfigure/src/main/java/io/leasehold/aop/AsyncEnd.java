package io.leasehold.aop;

import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.annotation.OnLost;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** How asynchronous work ends. */
final class AsyncEnd {

    private AsyncEnd() {}

    /**
     * The failure of work that ended with a failure or without.
     *
     * <p>Work that joined a lock must end before the call that took the lock. Work that was cancelled because of the loss
     * fails with the loss.
     */
    static @Nullable Throwable failure(LockSpec spec, HeldLocks locks, @Nullable Throwable ofBody) {
        if (spec.onLost() == OnLost.EVENT) {
            return ofBody;
        }
        Optional<RuntimeException> loss = Losses.first(locks.all());
        if (loss.isPresent() && ofBody instanceof CancellationException && spec.onLost() == OnLost.INTERRUPT) {
            return loss.get();
        }
        return Outcomes.failure(ofBody, loss.map(one -> explained(one, spec, locks)));
    }

    private static RuntimeException explained(RuntimeException loss, LockSpec spec, HeldLocks locks) {
        if (loss instanceof LockLostException) {
            return loss;
        }
        for (LockHandle handle : locks.all()) {
            if (!locks.own().contains(handle) && !handle.isHeld()) {
                return new IllegalStateException("the asynchronous work of " + Methods.describe(spec.method())
                        + " had joined lock '" + handle.key() + "' of locker '" + handle.locker()
                        + "' and went on after the call that took the lock had released it;"
                        + " wait for the work there, or call the method outside of the lock");
            }
        }
        return loss;
    }
}
