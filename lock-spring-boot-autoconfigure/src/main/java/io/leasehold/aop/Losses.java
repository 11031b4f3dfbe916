package io.leasehold.aop;

import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import java.util.Collection;
import java.util.Optional;

/** Tells why a lock is no longer held while work runs that relies on it: it was lost, or released too early. */
final class Losses {

    private Losses() {}

    /** Why a lock is not held, or empty if it is. */
    static Optional<RuntimeException> of(LockHandle handle) {
        if (handle.isHeld()) {
            return Optional.empty();
        }
        try {
            handle.requireHeld();
            return Optional.empty();
        } catch (LockLostException ex) {
            return Optional.of(ex);
        } catch (IllegalStateException released) {
            return Optional.of(new IllegalStateException(
                    "lock '" + handle.key() + "' of locker '" + handle.locker()
                            + "' was released before the work under it had ended, so the rest of the work ran without it;"
                            + " leave the release to the call that took the lock",
                    released));
        }
    }

    static Optional<RuntimeException> first(Collection<LockHandle> handles) {
        for (LockHandle handle : handles) {
            Optional<RuntimeException> loss = of(handle);
            if (loss.isPresent()) {
                return loss;
            }
        }
        return Optional.empty();
    }

    static void requireNone(Collection<LockHandle> handles) {
        first(handles).ifPresent(loss -> {
            throw loss;
        });
    }
}
