package io.leasehold.spi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What is locked in a store: a key inside a namespace.
 *
 * <p>{@link #encoded()} is injective: two ids have the same encoded form only if they are equal. It holds no braces and
 * no control characters and has at most {@value LockIdEncoder#MAX_BYTES} bytes in UTF-8; see {@link LockIdEncoder}.
 * Equality is that of the encoded form.
 *
 * <p>It is kept as bytes, which is what stores are sent, and less than a string for each of ten thousand locks.
 */
public final class LockId {

    private final byte[] encoded;

    private LockId(byte[] encoded) {
        this.encoded = encoded;
    }

    /**
     * The id of a key in a namespace.
     *
     * @param namespace letters, digits, dots, underscores and hyphens of ASCII
     * @param key what is locked; not blank, valid Unicode
     * @return the id
     * @throws IllegalArgumentException if the namespace has other characters, or is empty or too long
     */
    public static LockId of(String namespace, String key) {
        return new LockId(LockIdEncoder.encode(namespace, key).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The id as stores keep it: namespace, colon, escaped key.
     *
     * @return the encoded form
     */
    public String encoded() {
        return new String(encoded, StandardCharsets.UTF_8);
    }

    /**
     * {@link #encoded()} in UTF-8.
     *
     * @return a copy
     */
    public byte[] bytes() {
        return encoded.clone();
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
