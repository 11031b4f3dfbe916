package io.leasehold;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Validates and masks keys. A key is a non-blank string of valid Unicode. */
public final class LockKeys {

    private static final String MASK = "sha256:";

    private static final int HEX_DIGITS = 64;

    private LockKeys() {}

    /**
     * Masks a key. The result is {@code sha256:} and the SHA-256 of the key's UTF-8 bytes in lower-case hexadecimal
     * digits. A key that already has this form is returned unchanged.
     *
     * <p>A hash hides a key from readers who do not know it. It does not protect a key that can be guessed, because
     * anyone can hash the guesses.
     *
     * @param key the key
     * @return the masked key
     */
    public static String mask(String key) {
        if (isMasked(key)) {
            return key;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return MASK + HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("every Java platform has SHA-256", ex);
        }
    }

    /** Whether a handle's key, which may be masked, is the given key. */
    static boolean isSame(String ofHandle, String key) {
        return ofHandle.equals(key) || isMasked(ofHandle) && ofHandle.equals(mask(key));
    }

    private static boolean isMasked(String key) {
        if (key.length() != MASK.length() + HEX_DIGITS || !key.startsWith(MASK)) {
            return false;
        }
        for (int i = MASK.length(); i < key.length(); i++) {
            char c = key.charAt(i);
            if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    /**
     * Fails if the key is not valid.
     *
     * @param key the key to validate
     * @throws IllegalArgumentException if the key is null, is blank or has an unpaired surrogate
     */
    public static void requireValid(@Nullable String key) {
        if (key == null) {
            throw new IllegalArgumentException("'key' must not be null");
        }
        if (key.isBlank()) {
            throw new IllegalArgumentException("'key' must not be blank: '" + LockState.printable(key)
                    + "'. Name what is to be locked, for example by its id");
        }
        int at = unpairedSurrogate(key);
        if (at >= 0) {
            throw new IllegalArgumentException("'key' is not valid Unicode: unpaired surrogate \\u"
                    + Integer.toHexString(key.charAt(at)) + " at index " + at);
        }
    }

    private static int unpairedSurrogate(String key) {
        int at = 0;
        while (at < key.length()) {
            int codePoint = key.codePointAt(at);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                return at;
            }
            at += Character.charCount(codePoint);
        }
        return -1;
    }
}
