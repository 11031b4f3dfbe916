package io.leasehold.aop;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Takes the locks of one call: all of them or none, within one wait time. A lock that the call is made under already is
 * joined.
 */
final class LockAcquisition {

    private final Supplier<LockerRegistry> lockers;

    private final LockerWaitTimes waitTimes;

    private final JoinedLocks enclosing;

    private final LongSupplier nanoTime;

    LockAcquisition(
            Supplier<LockerRegistry> lockers, LockerWaitTimes waitTimes, JoinedLocks enclosing, LongSupplier nanoTime) {
        this.lockers = lockers;
        this.waitTimes = waitTimes;
        this.enclosing = enclosing;
        this.nanoTime = nanoTime;
    }

    /** Takes them on the calling thread. */
    HeldLocks acquire(LockSpec spec, LockKeySet keys) {
        Locker locker = lockers.get().get(spec.locker());
        SharedWait wait = new SharedWait(spec, keys, waitTimes, nanoTime);
        List<LockHandle> all = new ArrayList<>(keys.keys().size());
        List<LockHandle> own = new ArrayList<>(keys.keys().size());
        try {
            for (String key : keys.keys()) {
                Optional<LockHandle> joined = enclosing.find(locker.name(), key, List.of());
                LockHandle handle = joined.isPresent() ? joined.get() : take(locker, key, wait);
                all.add(handle);
                if (joined.isEmpty()) {
                    own.add(handle);
                }
            }
            return new HeldLocks(all, own);
        } catch (RuntimeException | Error ex) {
            giveBack(own, ex);
            throw ex;
        }
    }

    /**
     * Begins to take them without occupying a thread.
     *
     * @param others locks that the call is made under, besides those of the thread
     * @param executor goes on with the work if the answer did not come at once
     */
    LockAttempt start(LockSpec spec, LockKeySet keys, Collection<LockHandle> others, Executor executor) {
        Locker locker = lockers.get().get(spec.locker());
        List<LockHandle> joined = new ArrayList<>();
        for (String key : keys.keys()) {
            enclosing.find(locker.name(), key, others).ifPresent(joined::add);
        }
        LockAttempt attempt =
                new LockAttempt(locker, keys, joined, new SharedWait(spec, keys, waitTimes, nanoTime), executor);
        attempt.begin();
        return attempt;
    }

    private static LockHandle take(Locker locker, String key, SharedWait wait) {
        return locker.tryLock(wait.request(key)).orElseThrow(() -> wait.notAcquired(locker.name(), key));
    }

    private static void giveBack(List<LockHandle> own, Throwable failure) {
        try {
            Releases.releaseAll(own);
        } catch (RuntimeException ex) {
            failure.addSuppressed(ex);
        }
    }
}
