package io.leasehold.aop;

import io.leasehold.LockHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Releases several locks, the last one first, whatever happens to the others. */
final class Releases {

    private Releases() {}

    static void releaseAll(List<LockHandle> handles) {
        RuntimeException failure = null;
        for (int i = handles.size() - 1; i >= 0; i--) {
            failure = release(handles.get(i), failure);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static @Nullable RuntimeException release(LockHandle handle, @Nullable RuntimeException earlier) {
        try {
            handle.release();
            return earlier;
        } catch (RuntimeException ex) {
            if (earlier == null) {
                return ex;
            }
            earlier.addSuppressed(ex);
            return earlier;
        }
    }
}
