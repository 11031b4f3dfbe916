package io.leasehold.redis.client;

import io.leasehold.spi.LockId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The names of a lock's keys. Encoded ids have no braces, so the tag is always the whole name: one slot for all. */
public final class RedisKeys {

    /**
     * For how long a process may raise a fencing counter without a script after a script has granted the lock to it; the
     * clocks of the process and of the server are assumed to run alike for that long.
     */
    public static final Duration FENCE_CACHE_LIFETIME = Duration.ofSeconds(10);

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
     * How long a script keeps a fencing counter: all processes add the lifetime of cached counters, since any of them may
     * raise it by plain commands.
     *
     * @param afterLastGrant how long the counter has to outlive the last grant
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
