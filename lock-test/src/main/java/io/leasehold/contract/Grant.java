package io.leasehold.contract;

/**
 * A lock that somebody held, with a stretch of time in which it surely was valid in its holder's eyes.
 *
 * @param key what was locked
 * @param fence its fencing token
 * @param from a moment after it was granted at which it was valid, by {@link System#nanoTime()}
 * @param to the last moment, before it was released, at which it was seen to be valid
 * @param holder who held it, for messages
 */
public record Grant(String key, long fence, long from, long to, String holder) {

    /** Refuses a stretch that ends before it begins. */
    public Grant {
        if (to - from < 0) {
            throw new IllegalArgumentException("'to' must not be before 'from': " + to + " < " + from);
        }
    }
}
