package io.leasehold.spi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The identity of a lock in a store: a key in a namespace.
 *
 * <p>{@link #encoded()} is injective: two ids have the same encoded form only if they are equal. The encoded form
 * contains no braces and no control characters, and has at most {@value LockIdEncoder#MAX_BYTES} bytes in UTF-8; see
 * {@link LockIdEncoder}. Two ids are equal if their encoded forms are equal.
 *
 * <p>The id is stored as bytes, because clients send bytes to the store and because bytes need less memory than a
 * string. This matters for tens of thousands of held locks.
 */
public final class LockId {

    private final byte[] encoded;

    private LockId(byte[] encoded) {
        this.encoded = encoded;
    }

    /**
     * Creates the id of a key in a namespace.
     *
     * @param namespace the namespace, of ASCII letters, digits, dots, underscores and hyphens
     * @param key the key; not blank, valid Unicode
     * @return the id
     * @throws IllegalArgumentException if the namespace has other characters, is empty or is too long, or if the key is
     *     not valid
     */
    public static LockId of(String namespace, String key) {
        return new LockId(LockIdEncoder.encode(namespace, key).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the form that stores keep: namespace, colon, escaped key.
     *
     * @return the encoded form
     */
    public String encoded() {
        return new String(encoded, StandardCharsets.UTF_8);
    }

    /**
     * Returns the key of an encoded id.
     *
     * @param encoded an encoded id, or any text that starts with a namespace and a colon
     * @return the key. It is the escaped form if the key was shortened, or if the text is no encoded id
     */
    public static String key(String encoded) {
        return LockIdEncoder.key(encoded);
    }

    /**
     * Returns {@link #encoded()} in UTF-8.
     *
     * @return a copy
     */
    public byte[] bytes() {
        return encoded.clone();
    }

    /**
     * Returns {@link #encoded()} in UTF-8 between two other parts. Stores that keep several entries for a lock name them
     * like this.
     *
     * @param prefix the bytes before it
     * @param suffix the bytes after it
     * @return a new array
     */
    public byte[] bytes(byte[] prefix, byte[] suffix) {
        byte[] all = new byte[prefix.length + encoded.length + suffix.length];
        System.arraycopy(prefix, 0, all, 0, prefix.length);
        System.arraycopy(encoded, 0, all, prefix.length, encoded.length);
        System.arraycopy(suffix, 0, all, prefix.length + encoded.length, suffix.length);
        return all;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockId that && Arrays.equals(encoded, that.encoded);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encoded);
    }

    @Override
    public String toString() {
        return encoded();
    }
}
