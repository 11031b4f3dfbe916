package io.leasehold.spi;

import io.leasehold.LockKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a namespace and a key as one string.
 *
 * <ol>
 *   <li>The form is {@code namespace:key}. A namespace contains no colon, so the first colon ends it.
 *   <li>In the key, control characters, braces and the percent sign become {@code %} and two hexadecimal digits, as in
 *       URLs. Unescaped braces would determine the slot in a Redis Cluster.
 *   <li>A form that would exceed {@value #MAX_BYTES} bytes in UTF-8 is shortened to a readable beginning, {@code %#}
 *       and the SHA-256 of namespace and key. No escaped key contains {@code %#}, so the shortened form never equals
 *       the form of another key.
 * </ol>
 */
final class LockIdEncoder {

    static final int MAX_BYTES = 512;

    private static final int READABLE_CHARS = 64;

    private static final int MAX_NAMESPACE = 128;

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private LockIdEncoder() {}

    static String encode(String namespace, String key) {
        requireNamespace(namespace);
        LockKeys.requireValid(key);
        String escaped = escape(key);
        if (tooLong(namespace, escaped)) {
            escaped = shorten(escaped) + "%#" + sha256(namespace + ":" + key);
        }
        return namespace + ":" + escaped;
    }

    static String key(String encoded) {
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
        return key.toString();
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
