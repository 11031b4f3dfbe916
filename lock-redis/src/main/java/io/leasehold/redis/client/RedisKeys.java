package io.leasehold.redis.client;

import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The names of a lock's keys. Encoded ids contain no braces, so that the hash tag is the whole id and all keys of a
 * lock belong to one slot.
 */
public final class RedisKeys {

    /** The keys of records have no colon, unlike the keys of locks, so that a namespace cannot contain them. */
    private static final String INSTANCES = "leasehold-instance-";

    private static final byte[] PROOF = bytes("lock-turns:proof");

    private static final byte[] MASTER = bytes("leasehold-master");

    private static final byte[] HASH_TAG = bytes("{");

    private static final byte[] FENCE = bytes("}:fence");

    private static final byte[] QUEUE = bytes("}:queue");

    private RedisKeys() {}

    /**
     * Returns the channel of a message without receivers. Redis sends it to the replicas, like a write, and changes no
     * key.
     */
    public static byte[] proof() {
        return PROOF.clone();
    }

    /** Returns the key of the record of the present master. It exists if replicas confirm leases, outside of clusters. */
    public static byte[] master() {
        return MASTER.clone();
    }

    public static byte[] lock(LockId id) {
        return id.bytes();
    }

    public static byte[] fence(LockId id) {
        return id.bytes(HASH_TAG, FENCE);
    }

    public static byte[] queue(LockId id) {
        return id.bytes(HASH_TAG, QUEUE);
    }

    /** Returns the key that exists while the waiter with a token expects to be granted the lock by a release. */
    public static byte[] expectation(LockId id, Token token) {
        return bytes("{" + id.encoded() + "}:queue:" + token.valueWithHolder());
    }

    /** Returns the key of the record of an instance, by the hexadecimal digits of its id. */
    public static byte[] instance(String id) {
        return bytes(INSTANCES + id);
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns a duration in milliseconds, rounded up. */
    public static byte[] millis(Duration duration) {
        return bytes(duration.plusNanos(999_999).toMillis());
    }
}
