package io.leasehold.aop.invocation;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The locks of one call. Those under which no body has run have no minimum hold time. */
public final class AcquiredLocks {

    private final List<LockHandle> all;

    private final List<LockHandle> own;

    private final List<LockHandle> tolerated;

    private volatile boolean used;

    /**
     * Creates the locks of a call.
     *
     * @param all all locks of the call, in the order of the keys
     * @param own those of them that the call acquired itself; the others belong to an outer call or a transaction
     * @param tolerated those of the others whose loss the outer call only reports
     */
    public AcquiredLocks(List<LockHandle> all, List<LockHandle> own, List<LockHandle> tolerated) {
        this.all = List.copyOf(all);
        this.own = own.size() == all.size() ? this.all : List.copyOf(own);
        this.tolerated = List.copyOf(tolerated);
    }

    public List<LockHandle> all() {
        return all;
    }

    public List<LockHandle> own() {
        return own;
    }

    /** The locks of an outer call or a transaction. */
    public List<LockHandle> joined() {
        return own == all
                ? List.of()
                : all.stream().filter(handle -> !own.contains(handle)).toList();
    }

    /** The locks of an outer call whose loss is only reported. */
    List<LockHandle> tolerated() {
        return tolerated;
    }

    /** The locks without which the call fails. */
    List<LockHandle> required() {
        return tolerated.isEmpty()
                ? all
                : all.stream().filter(handle -> !tolerated.contains(handle)).toList();
    }

    /** Runs a body with all the locks in its context. */
    public <T extends @Nullable Object> T within(Callable<T> body) throws Exception {
        used = true;
        return LockContext.call(all, body);
    }

    /** Releases the locks that the call acquired itself. */
    void release() {
        releaseAll(used ? own : unused(own));
    }

    /** Releases the locks that the call acquired itself without occupying a thread; the result never fails. */
    CompletableFuture<Void> releaseAsync() {
        return releaseAllAsync(used ? own : unused(own));
    }

    /** Waives the minimum hold time of locks under which no body has run. Returns them. */
    static List<LockHandle> unused(List<LockHandle> handles) {
        handles.forEach(LockHandle::waiveMinHoldTime);
        return handles;
    }

    public static void releaseAll(List<LockHandle> handles) {
        Throwable failure = null;
        for (int i = handles.size() - 1; i >= 0; i--) {
            failure = release(handles.get(i), failure);
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    /** Releases them without occupying a thread; the result never fails. */
    public static CompletableFuture<Void> releaseAllAsync(List<LockHandle> handles) {
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
        } catch (Throwable ex) {
            return CompletableFuture.completedFuture(false);
        }
    }

    private static @Nullable Throwable release(LockHandle handle, @Nullable Throwable earlier) {
        try {
            handle.release();
            return earlier;
        } catch (RuntimeException | Error ex) {
            if (earlier == null) {
                return ex;
            }
            earlier.addSuppressed(ex);
            return earlier;
        }
    }
}
