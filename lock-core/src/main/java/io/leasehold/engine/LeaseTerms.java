package io.leasehold.engine;

import io.leasehold.LockRequest;
import io.leasehold.engine.InvalidSettingException.Range;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The effective settings of a lease, in nanoseconds: a locker's settings, as far as a request does not override them.
 * This class is the only one that knows the rules between the settings.
 *
 * @param ttl how long the store keeps the lease without a renewal
 * @param autoRenew whether the watchdog renews the lease
 * @param maxHold the maximum hold time, {@link Long#MAX_VALUE} for no limit
 * @param minHold the minimum hold time
 * @param commandTimeout the maximum time to wait for one answer of the store
 */
record LeaseTerms(Duration ttl, long ttlNanos, boolean autoRenew, long maxHold, long minHold, long commandTimeout) {

    private static final String TTL = "ttl";

    private static final String AUTO_RENEW = "auto-renew";

    private static final String MAX_HOLD_TIME = "max-hold-time";

    private static final String MIN_HOLD_TIME = "min-hold-time";

    private static final String COMMAND_TIMEOUT = "command-timeout";

    private static final long DEFAULT_COMMAND_TIMEOUT = TimeUnit.SECONDS.toNanos(1);

    private static final String RAISE_OR_LOWER = "Raise the one or lower the other.";

    static LeaseTerms of(
            String locker,
            Duration ttl,
            boolean autoRenew,
            @Nullable Duration maxHoldTime,
            Duration minHoldTime,
            @Nullable Duration commandTimeout) {
        Range.requireMillisToYear(locker, TTL, ttl);
        // stores count in milliseconds: with a fraction, the validity here would outlive the lease in the store
        ttl = ttl.truncatedTo(ChronoUnit.MILLIS);
        Range.requireMillisToYear(locker, MAX_HOLD_TIME, maxHoldTime);
        Range.requireZeroToYear(locker, MIN_HOLD_TIME, minHoldTime);
        Range.requireMillisToYear(locker, COMMAND_TIMEOUT, commandTimeout);
        requireConsistent(locker, ttl, autoRenew, maxHoldTime, minHoldTime, commandTimeout);
        long ttlNanos = ttl.toNanos();
        long timeout =
                commandTimeout == null ? Math.min(DEFAULT_COMMAND_TIMEOUT, ttlNanos / 6) : commandTimeout.toNanos();
        return new LeaseTerms(
                ttl,
                ttlNanos,
                autoRenew,
                maxHoldTime == null ? Long.MAX_VALUE : maxHoldTime.toNanos(),
                minHoldTime.toNanos(),
                timeout);
    }

    /** The terms of one request. Unset values come from the locker. */
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

    private static void requireConsistent(
            String locker,
            Duration ttl,
            boolean autoRenew,
            @Nullable Duration maxHoldTime,
            Duration minHoldTime,
            @Nullable Duration commandTimeout) {
        if (commandTimeout != null && ttl.compareTo(commandTimeout.multipliedBy(3)) < 0) {
            throw new InvalidSettingException(
                    locker,
                    TTL,
                    "must be at least three times {command-timeout}, so that a renewal can be tried again before the lock"
                            + " is lost",
                    RAISE_OR_LOWER,
                    Map.of(TTL, ttl, COMMAND_TIMEOUT, commandTimeout));
        }
        if (maxHoldTime != null && !autoRenew) {
            throw new InvalidSettingException(
                    locker,
                    MAX_HOLD_TIME,
                    "has no meaning with {auto-renew}: a lock that is not renewed ends after its ttl",
                    "Remove one of the two.",
                    Map.of(MAX_HOLD_TIME, maxHoldTime, AUTO_RENEW, autoRenew));
        }
        if (maxHoldTime != null && maxHoldTime.compareTo(ttl) < 0) {
            throw new InvalidSettingException(
                    locker,
                    MAX_HOLD_TIME,
                    "must not be shorter than {ttl}",
                    RAISE_OR_LOWER,
                    Map.of(MAX_HOLD_TIME, maxHoldTime, TTL, ttl));
        }
        if (maxHoldTime != null && minHoldTime.compareTo(maxHoldTime) > 0) {
            throw new InvalidSettingException(
                    locker,
                    MIN_HOLD_TIME,
                    "must not be longer than {max-hold-time}",
                    RAISE_OR_LOWER,
                    Map.of(MIN_HOLD_TIME, minHoldTime, MAX_HOLD_TIME, maxHoldTime));
        }
        if (!autoRenew && minHoldTime.compareTo(ttl) > 0) {
            throw new InvalidSettingException(
                    locker,
                    MIN_HOLD_TIME,
                    "must not be longer than {ttl} with {auto-renew}",
                    RAISE_OR_LOWER,
                    Map.of(MIN_HOLD_TIME, minHoldTime, TTL, ttl, AUTO_RENEW, autoRenew));
        }
    }
}
