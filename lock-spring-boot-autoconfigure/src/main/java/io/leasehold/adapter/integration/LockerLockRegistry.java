package io.leasehold.adapter.integration;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockKeys;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.Locker;
import io.leasehold.support.UnfinishedResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.integration.util.CheckedCallable;
import org.springframework.integration.util.CheckedRunnable;

/**
 * Spring Integration's locks, taken from a {@link Locker}. A key is a string.
 *
 * <p>A lock belongs to the thread that acquired it and is re-entrant. {@code unlock} on another thread throws
 * {@link IllegalMonitorStateException}. Locks are renewed while they are held, if the locker is configured so, and do
 * not take part in Spring's transactions.
 *
 * <p>A lost lock stays lost until its thread has unlocked it: every attempt of this thread to lock it again, and the
 * last {@code unlock}, throw {@link LockLostException}. Spring Integration's leader initiator then revokes its
 * leadership. {@code lock} and {@code lockInterruptibly} throw {@link LockNotAcquiredException} on a thread that works
 * under this lock, in {@code executeLocked} or an annotated method of the same locker, or whose transaction keeps it after
 * such a call, because it would wait for itself. If the store fails, {@link io.leasehold.LockBackendException} is thrown.
 * This class is thread-safe.
 */
public final class LockerLockRegistry implements RenewableLockRegistry<DistributedLock> {

    private final Locker customizing;

    /** Takes keys as {@link Locker#visibleKey} of the other one returns them. */
    private final Locker locker;

    /** Takes the same keys, and knows the locks that the transactions of a thread keep. */
    private final Locker participating;

    private final Map<Owner, Hold> holds = new ConcurrentHashMap<>();

    /**
     * Creates a registry.
     *
     * @param locker grants the locks
     */
    public LockerLockRegistry(Locker locker) {
        this.customizing = locker.withoutTransactions();
        this.locker = customizing.withoutKeyCustomizers();
        this.participating = locker.withoutKeyCustomizers();
    }

    /**
     * Returns the lock of a key. The application's key customizers are applied now, and not when the lock is locked.
     *
     * @param lockKey the key, a string that is not blank
     * @throws IllegalArgumentException if the key is no such string
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return lock(lockKey);
    }

    private RegistryLock lock(Object lockKey) {
        return new RegistryLock(visibleKey(lockKey));
    }

    @Override
    public void renewLock(Object lockKey) {
        held(visibleKey(lockKey)).renew();
    }

    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        held(visibleKey(lockKey)).renew(ttl);
    }

    @Override
    public <E extends Throwable> void executeLocked(Object lockKey, CheckedRunnable<E> work)
            throws E, InterruptedException {
        executeLocked(lockKey, asCallable(work));
    }

    /**
     * Runs work under a lock. If the work fails and the lock was lost, the failure of the work is thrown and has the
     * loss as a suppressed exception.
     *
     * @throws IllegalStateException if the result goes on after the work, as a future that is not complete does
     */
    @Override
    public <T extends @Nullable Object, E extends Throwable> T executeLocked(Object lockKey, CheckedCallable<T, E> work)
            throws E, InterruptedException {
        RegistryLock lock = lock(lockKey);
        lock.lockInterruptibly();
        return callAndUnlock(lock, work);
    }

    @Override
    public <E extends Throwable> void executeLocked(Object lockKey, Duration waitTime, CheckedRunnable<E> work)
            throws E, InterruptedException, TimeoutException {
        executeLocked(lockKey, waitTime, asCallable(work));
    }

    @Override
    public <T extends @Nullable Object, E extends Throwable> T executeLocked(
            Object lockKey, Duration waitTime, CheckedCallable<T, E> work)
            throws E, InterruptedException, TimeoutException {
        RegistryLock lock = lock(lockKey);
        if (!lock.tryLockFor(waitTime, null)) {
            throw new TimeoutException(lock + " of locker '" + locker.name() + "' was not acquired within " + waitTime);
        }
        return callAndUnlock(lock, work);
    }

    private static <E extends Throwable> CheckedCallable<Boolean, E> asCallable(CheckedRunnable<E> work) {
        return () -> {
            work.run();
            return true;
        };
    }

    private <T extends @Nullable Object, E extends Throwable> T callAndUnlock(
            RegistryLock lock, CheckedCallable<T, E> work) throws E {
        Unlock unlock = lock::unlock;
        T result;
        // the failure of the work is thrown, and that of the unlock is suppressed in it
        try (unlock) {
            result = work.call();
        }
        UnfinishedResult.refuse(result, lock::isEntered, () -> lock + " of locker '" + locker.name() + "'");
        return result;
    }

    private String visibleKey(@Nullable Object lockKey) {
        if (!(lockKey instanceof String key)) {
            throw new IllegalArgumentException("key '" + customizing.visibleKey(String.valueOf(lockKey)) + "' of type "
                    + (lockKey == null ? "null" : lockKey.getClass().getName())
                    + " is no text; locker '" + locker.name() + "' locks strings. Convert the key to a String.");
        }
        LockKeys.requireValid(key);
        return customizing.visibleKey(key);
    }

    private LockHandle held(String key) {
        Hold own = holds.get(Owner.current(key));
        if (own != null) {
            return own.handle;
        }
        return holds.entrySet().stream()
                .filter(entry -> entry.getKey().key().equals(key))
                .map(entry -> entry.getValue().handle)
                .filter(LockHandle::isHeld)
                .findAny()
                .orElseThrow(() -> new IllegalStateException("lock '" + LockState.printable(key) + "' of locker '"
                        + locker.name() + "' cannot be renewed: this registry does not hold it; lock it first"));
    }

    /** Acquires the lock for the current thread, or enters it again. */
    private boolean acquire(String key, Duration waitTime, @Nullable Duration ttl) {
        Owner owner = Owner.current(key);
        Hold hold = holds.get(owner);
        if (hold != null) {
            hold.enterAgain(ttl);
            return true;
        }
        LockRequest request =
                LockRequest.of(key).withWaitTime(participating.isKeptByTransaction(key) ? Duration.ZERO : waitTime);
        Optional<LockHandle> granted = locker.tryLock(ttl == null ? request : request.withTtl(ttl));
        granted.ifPresent(handle -> holds.put(owner, new Hold(handle)));
        return granted.isPresent();
    }

    private void release(String key) {
        Owner owner = Owner.current(key);
        Hold hold = holds.get(owner);
        if (hold == null) {
            throw new IllegalMonitorStateException("lock '" + LockState.printable(key) + "' of locker '" + locker.name()
                    + "' is not held by thread '" + owner.thread().getName()
                    + "'; unlock it on the thread that locked it");
        }
        if (!hold.isLastExit()) {
            return;
        }
        holds.remove(owner);
        hold.end();
    }

    /** An unlock as the end of a block. */
    private interface Unlock extends AutoCloseable {

        @Override
        void close();
    }

    /** The thread that holds a key. */
    private record Owner(Thread thread, String key) {

        static Owner current(String key) {
            return new Owner(Thread.currentThread(), key);
        }
    }

    /** A held lock. Only its thread changes the number of entries. */
    private static final class Hold {

        private final LockHandle handle;

        private int entries = 1;

        Hold(LockHandle handle) {
            this.handle = handle;
        }

        /** A ttl that is over before the present one changes nothing: the outer section relies on the present one. */
        void enterAgain(@Nullable Duration ttl) {
            handle.requireConfirmed();
            if (ttl != null && ttl.compareTo(handle.remaining()) > 0) {
                handle.renew(ttl);
            }
            entries++;
        }

        /** Releases the lock, and fails if it was lost before. */
        void end() {
            try (handle) {
                handle.requireConfirmed();
            }
        }

        boolean isLastExit() {
            entries--;
            return entries == 0;
        }
    }

    /** The lock of one key. It has no state of its own: the registry knows which thread holds the key. */
    private final class RegistryLock implements DistributedLock {

        /** The wait time of one attempt of the methods that wait indefinitely. */
        private static final Duration ROUND = Duration.ofMinutes(1);

        private final String key;

        RegistryLock(String key) {
            this.key = key;
        }

        @Override
        public void lock() {
            lock(null);
        }

        @Override
        public void lock(@Nullable Duration ttl) {
            while (!tryUninterruptibly(ROUND, ttl)) {
                requireOtherHolder();
            }
        }

        /**
         * An attempt does not wait for a lock under which its thread works, or that a transaction of its thread keeps; a
         * further one would not either.
         */
        private void requireOtherHolder() {
            if (LockContext.findOwn(locker, key).filter(own -> !own.hasEnded()).isPresent()) {
                throw locker.notAcquired(key, Duration.ZERO)
                        .toCompletableFuture()
                        .join();
            }
            if (participating.isKeptByTransaction(key)) {
                throw new LockNotAcquiredException(
                        locker.name(),
                        key,
                        Duration.ZERO,
                        "a transaction of the calling thread keeps it until its end, and the thread would wait for"
                                + " itself. Use executeLocked of Locker or @DistributedLock for this call, which join"
                                + " the lock, or acquire the lock before the transaction begins");
            }
        }

        @Override
        public boolean tryLock() {
            return tryUninterruptibly(Duration.ZERO, null);
        }

        /** Ignores interrupts and keeps the interrupt flag. */
        private boolean tryUninterruptibly(Duration waitTime, @Nullable Duration ttl) {
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return tryLockFor(waitTime, ttl);
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
            while (!tryLockFor(ROUND, null)) {
                requireOtherHolder();
            }
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return tryLockFor(Duration.ofNanos(unit.toNanos(time)), null);
        }

        @Override
        public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
            return tryLockFor(waitTime, ttl);
        }

        private boolean tryLockFor(Duration waitTime, @Nullable Duration ttl) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            try {
                return acquire(key, waitTime.isNegative() ? Duration.ZERO : waitTime, ttl);
            } catch (LockInterruptedException ex) {
                Thread.interrupted();
                throw new InterruptedException(ex.getMessage());
            }
        }

        @Override
        public void unlock() {
            release(key);
        }

        /** Whether this thread is still between a {@code lock} and its {@code unlock}. */
        boolean isEntered() {
            return holds.containsKey(Owner.current(key));
        }

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException("a distributed lock has no conditions");
        }

        @Override
        public String toString() {
            return "lock '" + LockState.printable(key) + "'";
        }
    }
}
