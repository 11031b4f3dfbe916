package io.leasehold.aop;

import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The wait time of one call, which all of its locks share, from the moment at which it was made. */
final class SharedWait {

    private final LockSpec spec;

    private final LockKeySet keys;

    private final LockerWaitTimes waitTimes;

    private final LongSupplier nanoTime;

    private final long start;

    SharedWait(LockSpec spec, LockKeySet keys, LockerWaitTimes waitTimes, LongSupplier nanoTime) {
        this.spec = spec;
        this.keys = keys;
        this.waitTimes = waitTimes;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
    }

    LockRequest request(String key) {
        LockRequest request = spec.terms().request(key);
        if (keys.keys().size() == 1) {
            return request;
        }
        Duration total = request.waitTime() != null ? request.waitTime() : waitTimes.of(spec.locker());
        Duration left = total.minus(waited());
        return request.withWaitTime(left.isNegative() ? Duration.ZERO : left);
    }

    LockNotAcquiredException notAcquired(String locker, String key) {
        return new LockNotAcquiredException(locker, key, waited());
    }

    private Duration waited() {
        return Duration.ofNanos(nanoTime.getAsLong() - start);
    }
}
