package io.leasehold.spi;

import io.leasehold.LockKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a lock in a store: a key in a namespace.
 *
 * <p>{@link #encoded()} is injective: two ids have the same encoded form only if they are equal, and are equal if their
 * encoded forms are. The encoded form contains no braces and no control characters, and has at most {@value #MAX_BYTES}
 * bytes in UTF-8:
 *
 * <ol>
 *   <li>It is {@code namespace:key}. A namespace contains no colon, so the first colon ends it.
 *   <li>In the key, control characters, braces and the percent sign become {@code %} and two hexadecimal digits, as in
 *       URLs. Unescaped braces would determine the slot in a Redis Cluster.
 *   <li>A form that would exceed the limit is shortened to a readable beginning, {@code %#} and the SHA-256 of namespace
 *       and key. No escaped key contains {@code %#}, so the shortened form never equals the form of another key.
 * </ol>
 *
 * <p>The id is stored as bytes, because clients send bytes to the store and because bytes need less memory than a
 * string. This matters for tens of thousands of held locks.
 */
public final class LockId {

    static final int MAX_BYTES = 512;

    private static final int READABLE_CHARS = 64;

    private static final int MAX_NAMESPACE = 128;

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

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
        return new LockId(encode(namespace, key).getBytes(StandardCharsets.UTF_8));
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
        String escaped = encoded.substring(encoded.indexOf(':') + 1);
        int percent = escaped.indexOf('%');
        if (percent < 0) {
            return escaped;
        }
        StringBuilder key = new StringBuilder(escaped.length());
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            if (c != '%') {
                key.append(c);
                continue;
            }
            if (i + 2 >= escaped.length()
                    || !HexFormat.isHexDigit(escaped.charAt(i + 1))
                    || !HexFormat.isHexDigit(escaped.charAt(i + 2))) {
                return escaped;
            }
            key.append((char) HexFormat.fromHexDigits(escaped, i + 1, i + 3));
            i += 2;
        }
        // another client may have written an escape that this class does not: that key is the key of another lock
        return escape(key.toString()).equals(escaped) ? key.toString() : escaped;
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

    private static String encode(String namespace, String key) {
        requireNamespace(namespace);
        LockKeys.requireValid(key);
        String escaped = escape(key);
        if (tooLong(namespace, escaped)) {
            escaped = shorten(escaped) + "%#" + sha256(namespace + ":" + key);
        }
        return namespace + ":" + escaped;
    }

    private static void requireNamespace(@Nullable String namespace) {
        if (namespace == null) {
            throw new IllegalArgumentException("'namespace' must not be null");
        }
        if (namespace.isEmpty() || namespace.length() > MAX_NAMESPACE) {
            throw new IllegalArgumentException(
                    "'namespace' must have 1 to " + MAX_NAMESPACE + " characters: '" + namespace + "'");
        }
        for (int i = 0; i < namespace.length(); i++) {
            if (!isNamespaceCharacter(namespace.charAt(i))) {
                throw new IllegalArgumentException("'namespace' must consist of letters, digits and '.', '_', '-'; '"
                        + namespace.charAt(i) + "' at index " + i + " is none of them: '" + namespace + "'");
            }
        }
    }

    private static boolean isNamespaceCharacter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-';
    }

    private static String escape(String key) {
        int length = key.length();
        for (int i = 0; i < length; i++) {
            if (mustEscape(key.charAt(i))) {
                return escapeFrom(key, i);
            }
        }
        return key;
    }

    private static String escapeFrom(String key, int first) {
        StringBuilder escaped = new StringBuilder(key.length() + 16).append(key, 0, first);
        for (int i = first; i < key.length(); i++) {
            char c = key.charAt(i);
            if (mustEscape(c)) {
                escaped.append('%').append(HEX.toHexDigits((byte) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static boolean mustEscape(char c) {
        return c < 0x20 || c == 0x7f || c == '{' || c == '}' || c == '%';
    }

    private static boolean tooLong(String namespace, String escaped) {
        int room = MAX_BYTES - namespace.length() - 1;
        if (escaped.length() * 3 <= room) {
            return false;
        }
        return escaped.length() > room || escaped.getBytes(StandardCharsets.UTF_8).length > room;
    }

    private static String shorten(String escaped) {
        int end = READABLE_CHARS;
        while (escaped.charAt(end - 1) == '%'
                || escaped.charAt(end - 2) == '%'
                || Character.isHighSurrogate(escaped.charAt(end - 1))) {
            end--;
        }
        return escaped.substring(0, end);
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("every Java platform has SHA-256", ex);
        }
    }
}
