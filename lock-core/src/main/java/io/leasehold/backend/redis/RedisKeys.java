package io.leasehold.backend.redis;

import io.leasehold.spi.LockId;
import java.nio.charset.StandardCharsets;

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

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
    }
}
