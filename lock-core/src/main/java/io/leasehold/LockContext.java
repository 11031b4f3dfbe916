package io.leasehold;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The locks under which the current thread works. These are the locks of {@link Locker#executeLocked} and of annotated
 * methods, which may be nested. A {@link LockHandle} that the caller acquired directly is in no context.
 */
public final class LockContext {

    private static final ThreadLocal<@Nullable Scope> SCOPE = new ThreadLocal<>();

    private LockContext() {}

    /**
     * Returns the innermost lock under which this thread works.
     *
     * @return its handle, or empty if the thread works under no lock
     */
    public static Optional<LockHandle> current() {
        Scope scope = SCOPE.get();
        return scope == null ? Optional.empty() : Optional.of(scope.handle());
    }

    /**
     * Returns the lock with the given locker and key, if this thread works under it.
     *
     * @param locker the locker's name
     * @param key the locked key, also if the locker masks keys
     * @return its handle, or empty if the thread does not work under this lock
     */
    public static Optional<LockHandle> find(String locker, String key) {
        for (Scope scope = SCOPE.get(); scope != null; scope = scope.outer()) {
            LockHandle handle = scope.handle();
            if (handle.locker().equals(locker) && LockKeys.isSame(handle.key(), key)) {
                return Optional.of(handle);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns all locks under which this thread works.
     *
     * @return their handles, each once, from the innermost to the outermost
     */
    public static List<LockHandle> all() {
        Set<LockHandle> handles = new LinkedHashSet<>();
        for (Scope scope = SCOPE.get(); scope != null; scope = scope.outer()) {
            handles.add(scope.handle());
        }
        return List.copyOf(handles);
    }

    /**
     * Runs the given work with the lock as {@link #current()}. The lock is neither acquired nor released.
     *
     * @param handle the lock
     * @param work the work to run
     * @param <T> the type of the work's result
     * @return the work's result
     * @throws Exception if the work throws it
     */
    public static <T> T call(LockHandle handle, Callable<T> work) throws Exception {
        Scope outer = SCOPE.get();
        SCOPE.set(new Scope(handle, outer));
        try {
            return work.call();
        } finally {
            if (outer == null) {
                SCOPE.remove();
            } else {
                SCOPE.set(outer);
            }
        }
    }

    static <T> T execute(Locker locker, LockRequest request, Callable<T> work) throws Exception {
        Optional<LockHandle> joined = find(locker.name(), locker.visibleKey(request.key()));
        if (joined.isPresent()) {
            joined.get().requireHeld();
            return work.call();
        }
        try (LockHandle handle = locker.lock(request)) {
            T result = call(handle, work);
            handle.requireHeld();
            return result;
        }
    }

    private record Scope(LockHandle handle, @Nullable Scope outer) {}
}
