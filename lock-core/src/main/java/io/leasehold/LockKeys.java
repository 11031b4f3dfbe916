package io.leasehold;

import org.jspecify.annotations.Nullable;

/** Validates keys. A key is a non-blank string of valid Unicode. */
public final class LockKeys {

    private LockKeys() {}

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
            throw new IllegalArgumentException("'key' must not be blank: '" + key + "'");
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
