package io.leasehold.redlock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of locks on a quorum of nodes.
 *
 * @param nodeTimeout the maximum time to wait for a node's answer; {@code null} for a twentieth of the ttl, at most
 *     {@value #LONGEST_DEFAULT_TIMEOUT_MILLIS} ms
 * @param maxTtl the longest ttl that any process uses on these nodes; a longer ttl is refused. A restarted node has
 *     no vote until this time has passed, unless it keeps all leases across restarts
 */
public record RedlockLockOptions(@Nullable Duration nodeTimeout, Duration maxTtl) {

    static final long LONGEST_DEFAULT_TIMEOUT_MILLIS = 200;

    private static final Duration SHORTEST = Duration.ofMillis(1);

    private static final Duration LONGEST = Duration.ofDays(365);

    /** Validates the options. Both times must be 1 ms to 365 days. */
    public RedlockLockOptions {
        requireMillisToYear("node-timeout", nodeTimeout);
        requireMillisToYear("max-ttl", maxTtl);
    }

    /** Returns the defaults: a timeout that depends on the ttl, and one minute as the longest ttl. */
    public static RedlockLockOptions defaults() {
        return new RedlockLockOptions(null, Duration.ofMinutes(1));
    }

    /** Returns the maximum time to wait for the nodes' answers to a command with this ttl. */
    long nodeTimeoutNanos(Duration ttl) {
        if (nodeTimeout != null) {
            return nodeTimeout.toNanos();
        }
        return Math.min(ttl.toMillis() * 50_000, LONGEST_DEFAULT_TIMEOUT_MILLIS * 1_000_000);
    }

    private static void requireMillisToYear(String option, @Nullable Duration value) {
        if (value != null && (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0)) {
            throw new IllegalArgumentException("'" + option + "' must be 1 ms to 365 days: " + value);
        }
    }
}
