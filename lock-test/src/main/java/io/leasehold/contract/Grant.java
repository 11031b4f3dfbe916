package io.leasehold.contract;

/**
 * A lock that was held, and a period in which the holder certainly considered it valid.
 *
 * @param key the key of the lock
 * @param fence its fencing token
 * @param from a time after the grant at which the lock was valid, by {@link System#nanoTime()}
 * @param to the last time before the release at which the lock was observed to be valid
 * @param holder the name of the holder, for messages
 */
public record Grant(String key, long fence, long from, long to, String holder) {

    /** Fails if the period ends before it starts. */
    public Grant {
        if (to - from < 0) {
            throw new IllegalArgumentException("'to' must not be before 'from': " + to + " < " + from);
        }
    }
}
