package io.leasehold.redis.client;

import io.leasehold.spi.LockId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The names of a lock's keys. Encoded ids contain no braces, so that the hash tag is the whole id and all keys of a
 * lock belong to one slot.
 */
public final class RedisKeys {

    /**
     * How long after a grant by script a process may raise the fencing counter without a script. The clocks of the
     * process and of the server are assumed to run at the same speed for this time.
     */
    public static final Duration FENCE_CACHE_LIFETIME = Duration.ofSeconds(10);

    /** The beginning of the keys of the records of instances. */
    public static final String INSTANCES = "leasehold:instance:";

    private RedisKeys() {}

    public static byte[] lock(LockId id) {
        return id.bytes();
    }

    public static byte[] fence(LockId id) {
        return bytes("{" + id.encoded() + "}:fence");
    }

    public static byte[] queue(LockId id) {
        return bytes("{" + id.encoded() + "}:queue");
    }

    /**
     * Returns the key of the record of an instance.
     *
     * @param id the hexadecimal digits of its id
     */
    public static byte[] instance(String id) {
        return bytes(INSTANCES + id);
    }

    /**
     * Returns how long a script keeps a fencing counter. All processes add the lifetime of cached counters, because any
     * of them may raise the counter by plain commands.
     *
     * @param afterLastGrant how long the counter must be kept after the last grant
     * @return milliseconds, as an argument of a script
     */
    public static byte[] fenceRetention(Duration afterLastGrant) {
        return bytes(afterLastGrant.plus(FENCE_CACHE_LIFETIME).toMillis());
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
    }
}
