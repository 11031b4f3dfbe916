package io.leasehold.engine;

import io.leasehold.LockRequest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a lease is asked for on, in nanoseconds: a locker's settings and what a request says otherwise, checked together.
 *
 * @param ttl the lease in the store
 * @param autoRenew whether the watchdog renews it
 * @param maxHold the longest hold, {@link Long#MAX_VALUE} for no limit
 * @param minHold the shortest hold
 * @param commandTimeout the longest wait for one answer of the store
 */
record LeaseTerms(Duration ttl, long ttlNanos, boolean autoRenew, long maxHold, long minHold, long commandTimeout) {

    private static final long DEFAULT_COMMAND_TIMEOUT = TimeUnit.SECONDS.toNanos(1);

    private static final Duration LONGEST = Duration.ofDays(365);

    static LeaseTerms of(
            String locker,
            Duration ttl,
            boolean autoRenew,
            @Nullable Duration maxHoldTime,
            Duration minHoldTime,
            @Nullable Duration commandTimeout) {
        requireInRange(locker, "ttl", ttl);
        // stores count in milliseconds: a fraction that only this side counts would outlive the lease
        ttl = ttl.truncatedTo(ChronoUnit.MILLIS);
        long ttlNanos = ttl.toNanos();
        long timeout = commandTimeout == null
                ? Math.min(DEFAULT_COMMAND_TIMEOUT, ttlNanos / 6)
                : Math.min(commandTimeout.toNanos(), LONGEST.toNanos());
        if (ttlNanos / 3 < timeout) {
            throw new IllegalArgumentException("'ttl' " + ttl + " of locker '" + locker
                    + "' must be at least three times its 'command-timeout' " + Duration.ofNanos(timeout)
                    + ", so that a renewal can be tried again before the lock is lost: raise the ttl or lower the"
                    + " command-timeout");
        }
        if (maxHoldTime != null) {
            requireInRange(locker, "max-hold-time", maxHoldTime);
            requireConsistent(
                    autoRenew, locker, "'max-hold-time' " + maxHoldTime, "needs auto-renew, which is switched off");
            requireConsistent(
                    maxHoldTime.compareTo(ttl) >= 0,
                    locker,
                    "'max-hold-time' " + maxHoldTime,
                    "must not be shorter than 'ttl' " + ttl);
            requireConsistent(
                    minHoldTime.compareTo(maxHoldTime) <= 0,
                    locker,
                    "'min-hold-time' " + minHoldTime,
                    "must not be longer than 'max-hold-time' " + maxHoldTime);
        }
        requireConsistent(
                autoRenew || minHoldTime.compareTo(ttl) <= 0,
                locker,
                "'min-hold-time' " + minHoldTime,
                "must not be longer than 'ttl' " + ttl + " without auto-renew");
        return new LeaseTerms(
                ttl,
                ttlNanos,
                autoRenew,
                maxHoldTime == null ? Long.MAX_VALUE : maxHoldTime.toNanos(),
                minHoldTime.toNanos(),
                timeout);
    }

    /** The terms of one request: the locker's own, unless the request says something else. */
    static LeaseTerms of(LockerSettings settings, LeaseTerms ofLocker, LockRequest request) {
        if (request.ttl() == null
                && request.autoRenew() == null
                && request.maxHoldTime() == null
                && request.minHoldTime() == null) {
            return ofLocker;
        }
        boolean autoRenew = orElse(request.autoRenew(), settings.autoRenew());
        Duration maxHoldTime = request.maxHoldTime();
        if (maxHoldTime == null && autoRenew) {
            maxHoldTime = settings.maxHoldTime();
        }
        return of(
                settings.name(),
                orElse(request.ttl(), settings.ttl()),
                autoRenew,
                maxHoldTime,
                orElse(request.minHoldTime(), settings.minHoldTime()),
                settings.commandTimeout());
    }

    private static <T> T orElse(@Nullable T asked, T configured) {
        return asked == null ? configured : asked;
    }

    private static void requireInRange(String locker, String setting, Duration value) {
        if (value.toMillis() < 1 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "'" + setting + "' of locker '" + locker + "' must be 1 ms to 365 days: " + value);
        }
    }

    private static void requireConsistent(boolean holds, String locker, String subject, String expectation) {
        if (!holds) {
            throw new IllegalArgumentException(subject + " of locker '" + locker + "' " + expectation);
        }
    }
}
