package io.leasehold.aop;

import io.leasehold.LockHandle;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

    /** Releases them without occupying a thread; the result never fails. */
    static CompletableFuture<Void> releaseAllAsync(List<LockHandle> handles) {
        CompletableFuture<Void> released = CompletableFuture.completedFuture(null);
        for (int i = handles.size() - 1; i >= 0; i--) {
            LockHandle handle = handles.get(i);
            released = released.thenCombine(releaseAsync(handle), (earlier, now) -> null);
        }
        return released;
    }

    private static CompletableFuture<Boolean> releaseAsync(LockHandle handle) {
        try {
            return handle.releaseAsync().toCompletableFuture().exceptionally(failure -> false);
        } catch (RuntimeException ex) {
            return CompletableFuture.completedFuture(false);
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
