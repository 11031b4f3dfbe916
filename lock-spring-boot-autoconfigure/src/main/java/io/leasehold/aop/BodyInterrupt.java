package io.leasehold.aop;

import io.leasehold.LockHandle;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Interrupts the thread of a body when one of its locks is lost, while it is in the body and never after. */
final class BodyInterrupt {

    private final Thread thread = Thread.currentThread();

    private boolean inBody = true;

    private boolean interrupted;

    private BodyInterrupt() {}

    static <T extends @Nullable Object> T call(List<LockHandle> handles, Callable<T> body) throws Exception {
        BodyInterrupt interrupt = new BodyInterrupt();
        handles.forEach(handle -> handle.onLost(reason -> interrupt.lost()));
        try {
            return body.call();
        } finally {
            interrupt.leave();
        }
    }

    private synchronized void lost() {
        if (inBody && !interrupted) {
            interrupted = true;
            thread.interrupt();
        }
    }

    /** Takes back an interrupt that the body has not seen. */
    private synchronized void leave() {
        inBody = false;
        if (interrupted) {
            Thread.interrupted();
        }
    }
}
