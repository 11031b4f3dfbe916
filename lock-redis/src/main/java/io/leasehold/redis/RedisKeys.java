package io.leasehold.redis;

import io.leasehold.spi.LockId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The names of a lock's keys. Encoded ids have no braces, so the tag is always the whole name: one slot for all. */
final class RedisKeys {

    private RedisKeys() {}

    static byte[] lock(LockId id) {
        return id.bytes();
    }

    static byte[] fence(LockId id) {
        return bytes("{" + id.encoded() + "}:fence");
    }

    static byte[] queue(LockId id) {
        return bytes("{" + id.encoded() + "}:queue");
    }

    /** How long a fencing counter is kept after a script, in ms; plain commands may raise it for a while after that. */
    static byte[] retention(Duration afterLastGrant) {
        return bytes(afterLastGrant.plus(KnownFence.LIFETIME).toMillis());
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
    }
}
