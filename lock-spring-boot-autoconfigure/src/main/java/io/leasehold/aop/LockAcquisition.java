package io.leasehold.aop;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Takes the locks of one call: all of them or none, within one wait time. A lock that the thread works under already,
 * or that its transaction keeps, is joined.
 */
final class LockAcquisition {

    private final Supplier<LockerRegistry> lockers;

    private final LockerWaitTimes waitTimes;

    private final TransactionBinding transactions;

    private final LongSupplier nanoTime;

    LockAcquisition(
            Supplier<LockerRegistry> lockers,
            LockerWaitTimes waitTimes,
            TransactionBinding transactions,
            LongSupplier nanoTime) {
        this.lockers = lockers;
        this.waitTimes = waitTimes;
        this.transactions = transactions;
        this.nanoTime = nanoTime;
    }

    HeldLocks acquire(LockSpec spec, LockKeySet keys) {
        Locker locker = lockers.get().get(spec.locker());
        List<LockHandle> all = new ArrayList<>();
        List<LockHandle> own = new ArrayList<>();
        long start = nanoTime.getAsLong();
        try {
            for (String key : keys.keys()) {
                Optional<LockHandle> joined = joined(locker.name(), key);
                if (joined.isPresent()) {
                    all.add(joined.get());
                    continue;
                }
                LockHandle handle = take(locker, request(spec, keys, key, start), start);
                own.add(handle);
                all.add(handle);
            }
            return new HeldLocks(all, own);
        } catch (RuntimeException | Error ex) {
            giveBack(own, ex);
            throw ex;
        }
    }

    private Optional<LockHandle> joined(String locker, String key) {
        Optional<LockHandle> found = LockContext.find(locker, key).or(() -> transactions.find(locker, key));
        found.ifPresent(LockHandle::requireHeld);
        return found;
    }

    private LockHandle take(Locker locker, LockRequest request, long start) {
        return locker.tryLock(request)
                .orElseThrow(() -> new LockNotAcquiredException(locker.name(), request.key(), since(start)));
    }

    private LockRequest request(LockSpec spec, LockKeySet keys, String key, long start) {
        LockRequest request = spec.terms().request(key);
        if (keys.keys().size() == 1) {
            return request;
        }
        Duration total = request.waitTime() != null ? request.waitTime() : waitTimes.of(spec.locker());
        Duration left = total.minus(since(start));
        return request.withWaitTime(left.isNegative() ? Duration.ZERO : left);
    }

    private Duration since(long start) {
        return Duration.ofNanos(nanoTime.getAsLong() - start);
    }

    private static void giveBack(List<LockHandle> own, Throwable failure) {
        try {
            Releases.releaseAll(own);
        } catch (RuntimeException ex) {
            failure.addSuppressed(ex);
        }
    }
}
