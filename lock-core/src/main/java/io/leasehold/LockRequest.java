package io.leasehold;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What to lock, and on which terms. A component that is {@code null} is left to the locker's configuration.
 *
 * @param key what to lock inside the locker's namespace; not blank, valid Unicode
 * @param waitTime the longest to wait for the lock; zero tries once
 * @param ttl how long the store keeps the lock without hearing of its holder; renewed every third of it
 * @param autoRenew whether the lock is renewed while it is held; without it the lock ends after the ttl
 * @param maxHoldTime the longest the lock is held, however often it is renewed
 * @param minHoldTime the shortest the lock stays taken, even if it is released earlier
 */
public record LockRequest(
        String key,
        @Nullable Duration waitTime,
        @Nullable Duration ttl,
        @Nullable Boolean autoRenew,
        @Nullable Duration maxHoldTime,
        @Nullable Duration minHoldTime) {

    /** Refuses blank keys, negative or zero durations and terms that contradict each other, quoting the value. */
    public LockRequest {
        LockKeys.requireValid(key);
        requireNotNegative("waitTime", waitTime, key);
        requirePositive("ttl", ttl, key);
        requirePositive("maxHoldTime", maxHoldTime, key);
        requireNotNegative("minHoldTime", minHoldTime, key);
        if (maxHoldTime != null && Boolean.FALSE.equals(autoRenew)) {
            throw new IllegalArgumentException("'maxHoldTime' " + maxHoldTime
                    + " needs auto-renewal: without it the ttl is the longest hold (key '" + key + "')");
        }
        if (ttl != null && maxHoldTime != null && maxHoldTime.compareTo(ttl) < 0) {
            throw new IllegalArgumentException(
                    "'maxHoldTime' " + maxHoldTime + " must not be shorter than 'ttl' " + ttl + " (key '" + key + "')");
        }
        if (minHoldTime != null && maxHoldTime != null && minHoldTime.compareTo(maxHoldTime) > 0) {
            throw new IllegalArgumentException("'minHoldTime' " + minHoldTime
                    + " must not be longer than 'maxHoldTime' " + maxHoldTime + " (key '" + key + "')");
        }
        if (minHoldTime != null && ttl != null && Boolean.FALSE.equals(autoRenew) && minHoldTime.compareTo(ttl) > 0) {
            throw new IllegalArgumentException("'minHoldTime' " + minHoldTime + " must not be longer than 'ttl' " + ttl
                    + " without auto-renewal (key '" + key + "')");
        }
    }

    /**
     * A request on the locker's configured terms.
     *
     * @param key what to lock
     * @return the request
     */
    public static LockRequest of(String key) {
        return new LockRequest(key, null, null, null, null, null);
    }

    /**
     * This request with another wait time.
     *
     * @param waitTime the longest to wait; zero tries once
     * @return the new request
     */
    public LockRequest withWaitTime(Duration waitTime) {
        return new LockRequest(key, Objects.requireNonNull(waitTime), ttl, autoRenew, maxHoldTime, minHoldTime);
    }

    /**
     * This request with another ttl.
     *
     * @param ttl how long the store keeps the lock without hearing of its holder
     * @return the new request
     */
    public LockRequest withTtl(Duration ttl) {
        return new LockRequest(key, waitTime, Objects.requireNonNull(ttl), autoRenew, maxHoldTime, minHoldTime);
    }

    /**
     * This request with renewal switched on or off.
     *
     * @param autoRenew whether the lock is renewed while it is held
     * @return the new request
     */
    public LockRequest withAutoRenew(boolean autoRenew) {
        return new LockRequest(key, waitTime, ttl, autoRenew, maxHoldTime, minHoldTime);
    }

    /**
     * This request with a cap on holding.
     *
     * @param maxHoldTime the longest the lock is held
     * @return the new request
     */
    public LockRequest withMaxHoldTime(Duration maxHoldTime) {
        return new LockRequest(key, waitTime, ttl, autoRenew, Objects.requireNonNull(maxHoldTime), minHoldTime);
    }

    /**
     * This request with a minimum hold time.
     *
     * @param minHoldTime the shortest the lock stays taken
     * @return the new request
     */
    public LockRequest withMinHoldTime(Duration minHoldTime) {
        return new LockRequest(key, waitTime, ttl, autoRenew, maxHoldTime, Objects.requireNonNull(minHoldTime));
    }

    private static void requireNotNegative(String field, @Nullable Duration value, String key) {
        if (value != null && value.isNegative()) {
            throw new IllegalArgumentException(
                    "'" + field + "' must not be negative: " + value + " (key '" + key + "')");
        }
    }

    private static void requirePositive(String field, @Nullable Duration value, String key) {
        if (value != null && (value.isNegative() || value.isZero())) {
            throw new IllegalArgumentException("'" + field + "' must be positive: " + value + " (key '" + key + "')");
        }
    }
}
