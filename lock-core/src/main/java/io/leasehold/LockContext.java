package io.leasehold;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The locks under which the current thread works. These are the locks of {@link Locker#executeLocked} and of annotated
 * methods, which may be nested. A {@link LockHandle} that the caller acquired directly is in no context.
 */
public final class LockContext {

    /** Set to null rather than removed: the next lock of the thread would create the removed entry again. */
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
     * Returns the lock with the given locker and key, as {@link #find} does, unless it was {@linkplain
     * #restore(Snapshot) carried} here from another thread. Only such a lock can be joined: a carried one may end while
     * this thread works, because the other thread does not wait for this one. A lock of a locker with the same name in
     * another application context is another lock.
     *
     * @param locker the locker
     * @param key the locked key, also if the locker masks keys
     * @return its handle, or empty if this thread did not enter the lock itself
     */
    public static Optional<LockHandle> findOwn(Locker locker, String key) {
        for (Scope scope = SCOPE.get(); scope != null; scope = scope.outer()) {
            if (scope.isOwn() && isLockOf(locker, key, scope.handle())) {
                return Optional.of(scope.handle());
            }
        }
        return Optional.empty();
    }

    /** Compares the keys as they are in the store: a lock may also have the mask of another key as its key. */
    private static boolean isLockOf(Locker locker, String key, LockHandle handle) {
        return handle.lockSpace().equals(locker.lockSpace())
                && (handle.key().equals(key)
                        || handle.key().equals(locker.withoutKeyCustomizers().visibleKey(key)));
    }

    /**
     * Returns all locks under which this thread works.
     *
     * @return their handles, each once, from the innermost to the outermost
     */
    public static List<LockHandle> all() {
        return all(false);
    }

    /**
     * Returns all locks that this thread entered itself, without those that were
     * {@linkplain #restore(Snapshot) carried} here from another thread.
     *
     * @return their handles, each once, from the innermost to the outermost
     */
    public static List<LockHandle> allOwn() {
        return all(true);
    }

    private static List<LockHandle> all(boolean own) {
        Set<LockHandle> handles = new LinkedHashSet<>();
        for (Scope scope = SCOPE.get(); scope != null; scope = scope.outer()) {
            if (!own || scope.isOwn()) {
                handles.add(scope.handle());
            }
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
        return callWithin(List.of(handle), work);
    }

    /**
     * Runs the given work under several locks, as {@link #call(LockHandle, Callable)} does under one.
     *
     * @param handles the locks, from the outermost to the innermost
     * @param work the work to run
     * @param <T> the type of the work's result
     * @return the work's result
     * @throws Exception if the work throws it
     */
    public static <T> T call(List<LockHandle> handles, Callable<T> work) throws Exception {
        return callWithin(handles, work);
    }

    /** {@link ApplicationFrame} finds the calls in the stack by the name of this method. */
    private static <T> T callWithin(List<LockHandle> handles, Callable<T> work) throws Exception {
        Scope outer = SCOPE.get();
        Scope innermost = outer;
        for (LockHandle handle : handles) {
            innermost = new Scope(handle, innermost, Thread.currentThread().getId(), innermost == outer);
        }
        SCOPE.set(innermost);
        try {
            return work.call();
        } finally {
            SCOPE.set(outer);
            Scope scope = innermost;
            // counted, because the scopes around them may be removed meanwhile
            for (int i = 0; i < handles.size() && scope != null; i++) {
                scope.end();
                scope = scope.outer();
            }
        }
    }

    /**
     * Captures the locks of this thread, to restore them on another one. For libraries that carry the context of
     * threads; a registered {@code ThreadLocalAccessor} of Micrometer's context propagation uses it.
     *
     * @return the locks, or {@code null} if the thread works under none
     */
    public static @Nullable Snapshot capture() {
        Scope scope = Scope.lasting(SCOPE.get());
        return scope == null ? null : new Snapshot(scope);
    }

    /**
     * Replaces the locks of this thread. Locks that were captured on another thread are visible here, but no call joins
     * them, unless this thread works under them already. The caller restores the former locks afterwards.
     *
     * @param snapshot the locks, {@code null} for none
     */
    public static void restore(@Nullable Snapshot snapshot) {
        SCOPE.set(snapshot == null ? null : Scope.carried(snapshot.innermost, SCOPE.get()));
    }

    /**
     * Replaces the locks of this thread by those of work that continues on it, such as a coroutine. Calls join them,
     * because the work holds them until it ends. The locks are neither acquired nor released.
     *
     * @param handles the locks, from the innermost to the outermost
     * @return restores the former locks; to be run on the same thread, when the work leaves it
     */
    public static Runnable enter(List<LockHandle> handles) {
        Scope former = SCOPE.get();
        Scope entered = null;
        for (int i = handles.size() - 1; i >= 0; i--) {
            entered = new Scope(handles.get(i), entered, Thread.currentThread().getId(), true);
        }
        Scope innermost = entered;
        SCOPE.set(innermost);
        return () -> {
            SCOPE.set(former);
            for (Scope scope = innermost; scope != null; scope = scope.outer()) {
                scope.end();
            }
        };
    }

    /**
     * Why this thread cannot get a lock under which it works, and what to do.
     *
     * @return empty if the thread does not work under the lock
     */
    static Optional<String> waitForItself(Locker locker, String key) {
        int depth = 1;
        for (Scope scope = SCOPE.get(); scope != null; scope = scope.outer()) {
            if (scope.isOwn() && isLockOf(locker, key, scope.handle())) {
                return Optional.of("the calling thread works under this lock, in " + ApplicationFrame.ofCall(depth)
                        + ", and would wait for itself. Use executeLocked or @DistributedLock for the inner call, which"
                        + " join the lock, or the handle of LockContext.current()");
            }
            if (scope.beginsCall()) {
                depth++;
            }
        }
        return Optional.empty();
    }

    /** The locks under which a thread works. */
    public static final class Snapshot {

        private static final long NO_THREAD = -1;

        private final Scope innermost;

        private Snapshot(Scope innermost) {
            this.innermost = innermost;
        }

        /**
         * Creates a snapshot of locks that belong to no thread, such as those of a publisher.
         *
         * @param handles the locks, from the innermost to the outermost; at least one
         * @return the snapshot
         */
        public static Snapshot of(List<LockHandle> handles) {
            Scope scope = null;
            for (int i = handles.size() - 1; i >= 0; i--) {
                scope = new Scope(handles.get(i), scope, NO_THREAD, true);
            }
            if (scope == null) {
                throw new IllegalArgumentException("'handles' must not be empty");
            }
            return new Snapshot(scope);
        }
    }

    /** A lock and those around it. */
    private static final class Scope {

        private final LockHandle handle;

        private volatile @Nullable Scope outer;

        /** The thread that entered it. */
        private final long thread;

        /** Whether the scope around it, if any, is of another call. */
        private final boolean beginsCall;

        /** Set by that thread only. A captured scope may come back to it after the end of the work. */
        private final AtomicBoolean ended;

        Scope(LockHandle handle, @Nullable Scope outer, long thread, boolean beginsCall) {
            this(handle, outer, thread, beginsCall, new AtomicBoolean());
        }

        private Scope(LockHandle handle, @Nullable Scope outer, long thread, boolean beginsCall, AtomicBoolean ended) {
            this.handle = handle;
            this.outer = outer;
            this.thread = thread;
            this.beginsCall = beginsCall;
            this.ended = ended;
        }

        /**
         * The scopes that replace those of a thread. A lock that the thread has entered itself remains its own until the
         * end of that work, because the work waits for all that the thread does until then. Otherwise a call in a
         * coroutine would wait for the lock of this coroutine, if an element of its context restores the locks of its
         * publisher.
         *
         * @param captured the scopes to be restored
         * @param present the scopes of the thread
         */
        static Scope carried(Scope captured, @Nullable Scope present) {
            Map<LockHandle, Scope> own = new HashMap<>();
            for (Scope scope = present; scope != null; scope = scope.outer) {
                if (scope.isOwn()) {
                    own.putIfAbsent(scope.handle, scope);
                }
            }
            if (own.isEmpty()) {
                return captured;
            }
            Deque<Scope> carried = new ArrayDeque<>();
            for (Scope scope = captured; scope != null; scope = scope.outer) {
                carried.push(scope.isOwn() ? scope : own.getOrDefault(scope.handle, scope));
            }
            Scope innermost = null;
            for (Scope scope : carried) {
                innermost = new Scope(scope.handle, innermost, scope.thread, scope.beginsCall, scope.ended);
            }
            return innermost == null ? captured : innermost;
        }

        LockHandle handle() {
            return handle;
        }

        @Nullable
        Scope outer() {
            return outer;
        }

        boolean beginsCall() {
            return beginsCall;
        }

        /** Whether the work of this thread began and still runs in this scope. */
        boolean isOwn() {
            return thread == Thread.currentThread().getId() && !ended.get();
        }

        void end() {
            ended.set(true);
        }

        /**
         * Removes the scopes that have ended and whose locks are not held any more. Otherwise work that starts its own
         * continuation would carry the locks of all rounds before.
         *
         * @return the innermost scope that is left, if any
         */
        static @Nullable Scope lasting(@Nullable Scope innermost) {
            Scope first = skipEnded(innermost);
            for (Scope scope = first; scope != null; scope = scope.outer) {
                scope.outer = skipEnded(scope.outer);
            }
            return first;
        }

        private static @Nullable Scope skipEnded(@Nullable Scope scope) {
            Scope lasting = scope;
            while (lasting != null && lasting.ended.get() && !lasting.handle.isHeld()) {
                lasting = lasting.outer;
            }
            return lasting;
        }
    }
}
