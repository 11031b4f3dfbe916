package io.leasehold.spi;

/**
 * What is locked in a store: a key inside a namespace.
 *
 * <p>{@link #encoded()} is injective: two ids have the same encoded form only if they are equal. It holds no braces and
 * no control characters and has at most {@value LockIdEncoder#MAX_BYTES} bytes in UTF-8; see {@link LockIdEncoder}.
 * Equality is that of the encoded form.
 */
public final class LockId {

    private final String encoded;

    private LockId(String encoded) {
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
        return new LockId(LockIdEncoder.encode(namespace, key));
    }

    /**
     * The id as stores keep it: namespace, colon, escaped key.
     *
     * @return the encoded form
     */
    public String encoded() {
        return encoded;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockId that && encoded.equals(that.encoded);
    }

    @Override
    public int hashCode() {
        return encoded.hashCode();
    }

    @Override
    public String toString() {
        return encoded;
    }
}
