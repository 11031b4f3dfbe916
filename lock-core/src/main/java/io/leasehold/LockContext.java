package io.leasehold;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The locks under which the current thread works: those of {@link Locker#executeLocked} and of annotated methods, from
 * the outermost to the innermost. A bare {@link LockHandle} is in no context.
 */
public final class LockContext {

    private static final ThreadLocal<@Nullable Scope> SCOPE = new ThreadLocal<>();

    private LockContext() {}

    /**
     * The innermost lock under which this thread works.
     *
     * @return its handle, or empty outside of any
     */
    public static Optional<LockHandle> current() {
        Scope scope = SCOPE.get();
        return scope == null ? Optional.empty() : Optional.of(scope.handle());
    }

    /**
     * The lock of a locker and key under which this thread works.
     *
     * @param locker the locker's name
     * @param key what is locked
     * @return its handle, or empty if the thread does not work under it
     */
    public static Optional<LockHandle> find(String locker, String key) {
        for (Scope scope = SCOPE.get(); scope != null; scope = scope.outer()) {
            LockHandle handle = scope.handle();
            if (handle.locker().equals(locker) && handle.key().equals(key)) {
                return Optional.of(handle);
            }
        }
        return Optional.empty();
    }

    /**
     * The locks under which this thread works.
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
     * Runs a piece of work as working under a lock. Neither acquires nor releases.
     *
     * @param handle the lock
     * @param work what to run
     * @param <T> what the work answers
     * @return the work's answer
     * @throws Exception what the work throws
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
        Optional<LockHandle> joined = find(locker.name(), request.key());
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
