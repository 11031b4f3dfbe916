package io.leasehold.aop;

import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import java.util.Collection;
import java.util.Optional;

/** Tells lost locks from released ones. */
final class Losses {

    private Losses() {}

    /** The loss of a lock, if it is lost. A lock that was released before it could be lost is not. */
    static Optional<LockLostException> of(LockHandle handle) {
        if (handle.isHeld()) {
            return Optional.empty();
        }
        try {
            handle.requireHeld();
            return Optional.empty();
        } catch (LockLostException ex) {
            return Optional.of(ex);
        } catch (IllegalStateException released) {
            return Optional.empty();
        }
    }

    static Optional<LockLostException> first(Collection<LockHandle> handles) {
        for (LockHandle handle : handles) {
            Optional<LockLostException> loss = of(handle);
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
