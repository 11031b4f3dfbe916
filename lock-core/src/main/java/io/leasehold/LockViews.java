package io.leasehold;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** Adapts locks to other interfaces, for code that is written against these interfaces. */
public final class LockViews {

    private LockViews() {}

    /**
     * Returns a {@link Lock} for one key.
     *
     * <p>The lock is not re-entrant. Its owner is the view, not a thread: each call of this method creates a new view,
     * which holds the lock at most once. {@link Lock#lock()} waits indefinitely, in rounds of a minute. It throws
     * {@link LockNotAcquiredException} on a thread that works under the lock, in {@link Locker#executeLocked} or an
     * annotated method, because it would wait for itself. With a locker {@linkplain Locker#withoutTransactions() without
     * transactions}, it waits indefinitely for itself if a transaction of its thread keeps the lock. {@link Lock#unlock()}
     * throws {@link LockLostException} if the lock was lost, because {@code Lock} has no other way to report the loss. If
     * the machine seems to have been suspended, it asks the store. It does not release a lock that another thread has
     * acquired through the view since then, also on a third thread that unlocks for the one whose lock was lost. A
     * thread that locks again gives up its lost lock, which is then not unlocked. Each other lost lock must be unlocked:
     * until then, an {@code unlock()} on a thread that has acquired no lock is taken for it. Conditions are not supported.
     *
     * @param locker the locker that grants the lock
     * @param key the key to lock
     * @return the view
     */
    public static Lock asLock(Locker locker, String key) {
        return new LockView(locker, key);
    }

    /** The {@link Lock} view of one key; see {@link LockViews#asLock}. */
    private static final class LockView implements Lock {

        private static final Duration ROUND = Duration.ofMinutes(1);

        private final Locker locker;

        private final String key;

        private @Nullable Hold held;

        /** Locks that were lost before the view acquired the next one, until they are unlocked. */
        private final Map<Thread, LockHandle> replaced = new LinkedHashMap<>();

        LockView(Locker locker, String key) {
            LockKeys.requireValid(key);
            this.locker = locker;
            this.key = key;
        }

        @Override
        public void lock() {
            while (!tryUninterruptibly(ROUND)) {
                requireOtherHolder();
            }
        }

        /** An attempt does not wait for a lock under which its thread works; a further one would not either. */
        private void requireOtherHolder() {
            String visible = locker.visibleKey(key);
            if (LockContext.findOwn(locker, visible)
                    .filter(own -> !own.hasEnded())
                    .isPresent()) {
                throw locker.notAcquired(key, Duration.ZERO)
                        .toCompletableFuture()
                        .join();
            }
        }

        @Override
        public boolean tryLock() {
            return tryUninterruptibly(Duration.ZERO);
        }

        /** Ignores interrupts and keeps the interrupt flag. */
        private boolean tryUninterruptibly(Duration waitTime) {
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return tryLock(waitTime);
                    } catch (InterruptedException ex) {
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            while (!tryLock(ROUND)) {
                requireOtherHolder();
            }
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return tryLock(Duration.ofNanos(Math.max(0, unit.toNanos(time))));
        }

        private boolean tryLock(Duration waitTime) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            try {
                Optional<LockHandle> granted = locker.tryLock(key, waitTime);
                granted.ifPresent(this::hold);
                return granted.isPresent();
            } catch (LockInterruptedException ex) {
                Thread.interrupted();
                throw new InterruptedException(ex.getMessage());
            }
        }

        // synchronized with end(): the thread of the earlier lock may unlock at the same time
        private synchronized void hold(LockHandle handle) {
            replaced.remove(Thread.currentThread());
            Hold earlier = held;
            held = new Hold(Thread.currentThread(), handle);
            if (earlier != null && earlier.thread() != Thread.currentThread()) {
                replaced.put(earlier.thread(), earlier.handle());
            }
        }

        /**
         * Returns the lock to be unlocked: that of this thread if it was replaced, otherwise the present one. A thread
         * that has acquired none unlocks for another one, whose lock may be one that was replaced; these come first.
         */
        private synchronized @Nullable LockHandle end() {
            Thread current = Thread.currentThread();
            LockHandle own = replaced.remove(current);
            if (own != null) {
                return own;
            }
            Hold present = held;
            if (present == null || present.thread() != current) {
                Iterator<LockHandle> others = replaced.values().iterator();
                if (others.hasNext()) {
                    LockHandle other = others.next();
                    others.remove();
                    return other;
                }
            }
            held = null;
            return present == null ? null : present.handle();
        }

        @Override
        public void unlock() {
            LockHandle handle = end();
            if (handle == null) {
                throw new IllegalMonitorStateException("lock '" + LockState.printable(locker.visibleKey(key))
                        + "' of locker '" + locker.name() + "' is not held through this view");
            }
            try (handle) {
                handle.requireConfirmed();
            }
        }

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException("a distributed lock has no conditions");
        }

        /** A held lock and the thread that acquired it. */
        private record Hold(Thread thread, LockHandle handle) {}
    }
}
