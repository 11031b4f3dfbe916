package io.leasehold.aop;

import io.leasehold.LockHandle;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The locks of the current thread whose loss is only told, so that it must not stop a commit. */
final class ToleratedLosses {

    private static final ThreadLocal<@Nullable Frame> FRAMES = new ThreadLocal<>();

    private ToleratedLosses() {}

    static <T extends @Nullable Object> T call(List<LockHandle> handles, Callable<T> body) throws Exception {
        Frame outer = FRAMES.get();
        FRAMES.set(new Frame(handles, outer));
        try {
            return body.call();
        } finally {
            if (outer == null) {
                FRAMES.remove();
            } else {
                FRAMES.set(outer);
            }
        }
    }

    static boolean contains(LockHandle handle) {
        for (Frame frame = FRAMES.get(); frame != null; frame = frame.outer()) {
            if (frame.handles().contains(handle)) {
                return true;
            }
        }
        return false;
    }

    private record Frame(List<LockHandle> handles, @Nullable Frame outer) {}
}
