package io.leasehold;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The key to lock and the terms of the lock. A component that is {@code null} takes its value from the locker's
 * configuration.
 *
 * @param key the key to lock in the locker's namespace; not blank, valid Unicode
 * @param waitTime the maximum time to wait for the lock; zero tries once, unless another caller of this process is
 *     acquiring the lock
 * @param ttl how long the store keeps the lock without a renewal; automatic renewal takes place after every third of it
 * @param autoRenew whether the lock is renewed automatically while it is held; without renewal the lock ends after the
 *     ttl
 * @param maxHoldTime the maximum time for which the lock is held, regardless of renewals
 * @param minHoldTime the minimum time for which the lock stays taken, even if it is released earlier
 */
public record LockRequest(
        String key,
        @Nullable Duration waitTime,
        @Nullable Duration ttl,
        @Nullable Boolean autoRenew,
        @Nullable Duration maxHoldTime,
        @Nullable Duration minHoldTime) {

    /**
     * Validates the components. Fails for an invalid key, a negative wait time or minimum hold time, a ttl or maximum
     * hold time that is not positive, and for contradicting terms. The message quotes the value, and not the key, which
     * may be confidential.
     */
    public LockRequest {
        LockKeys.requireValid(key);
        requireNotNegative("waitTime", waitTime);
        requirePositive("ttl", ttl);
        requirePositive("maxHoldTime", maxHoldTime);
        requireNotNegative("minHoldTime", minHoldTime);
        if (maxHoldTime != null && Boolean.FALSE.equals(autoRenew)) {
            throw new IllegalArgumentException(
                    "'maxHoldTime' " + maxHoldTime + " needs auto-renewal: without it the ttl is the longest hold");
        }
        if (ttl != null && maxHoldTime != null && maxHoldTime.compareTo(ttl) < 0) {
            throw new IllegalArgumentException(
                    "'maxHoldTime' " + maxHoldTime + " must not be shorter than 'ttl' " + ttl);
        }
        if (minHoldTime != null && maxHoldTime != null && minHoldTime.compareTo(maxHoldTime) > 0) {
            throw new IllegalArgumentException(
                    "'minHoldTime' " + minHoldTime + " must not be longer than 'maxHoldTime' " + maxHoldTime);
        }
        if (minHoldTime != null && ttl != null && Boolean.FALSE.equals(autoRenew) && minHoldTime.compareTo(ttl) > 0) {
            throw new IllegalArgumentException(
                    "'minHoldTime' " + minHoldTime + " must not be longer than 'ttl' " + ttl + " without auto-renewal");
        }
    }

    /**
     * Creates a request on the locker's configured terms.
     *
     * @param key the key to lock
     * @return the request
     */
    public static LockRequest of(String key) {
        return new LockRequest(key, null, null, null, null, null);
    }

    /**
     * Returns this request for another key.
     *
     * @param key the key to lock
     * @return the new request
     */
    public LockRequest withKey(String key) {
        return new LockRequest(key, waitTime, ttl, autoRenew, maxHoldTime, minHoldTime);
    }

    /**
     * Returns this request with another wait time.
     *
     * @param waitTime the maximum time to wait; zero tries once
     * @return the new request
     */
    public LockRequest withWaitTime(Duration waitTime) {
        return new LockRequest(key, Objects.requireNonNull(waitTime), ttl, autoRenew, maxHoldTime, minHoldTime);
    }

    /**
     * Returns this request with another ttl.
     *
     * @param ttl how long the store keeps the lock without a renewal
     * @return the new request
     */
    public LockRequest withTtl(Duration ttl) {
        return new LockRequest(key, waitTime, Objects.requireNonNull(ttl), autoRenew, maxHoldTime, minHoldTime);
    }

    /**
     * Returns this request with automatic renewal switched on or off.
     *
     * @param autoRenew whether the lock is renewed automatically while it is held
     * @return the new request
     */
    public LockRequest withAutoRenew(boolean autoRenew) {
        return new LockRequest(key, waitTime, ttl, autoRenew, maxHoldTime, minHoldTime);
    }

    /**
     * Returns this request with another maximum hold time.
     *
     * @param maxHoldTime the maximum time for which the lock is held
     * @return the new request
     */
    public LockRequest withMaxHoldTime(Duration maxHoldTime) {
        return new LockRequest(key, waitTime, ttl, autoRenew, Objects.requireNonNull(maxHoldTime), minHoldTime);
    }

    /**
     * Returns this request with another minimum hold time.
     *
     * @param minHoldTime the minimum time for which the lock stays taken
     * @return the new request
     */
    public LockRequest withMinHoldTime(Duration minHoldTime) {
        return new LockRequest(key, waitTime, ttl, autoRenew, maxHoldTime, Objects.requireNonNull(minHoldTime));
    }

    private static void requireNotNegative(String field, @Nullable Duration value) {
        if (value != null && value.isNegative()) {
            throw new IllegalArgumentException(
                    "'" + field + "' must not be negative: " + value + ". Set it to zero or more");
        }
    }

    private static void requirePositive(String field, @Nullable Duration value) {
        if (value != null && (value.isNegative() || value.isZero())) {
            throw new IllegalArgumentException("'" + field + "' must be positive: " + value);
        }
    }
}
