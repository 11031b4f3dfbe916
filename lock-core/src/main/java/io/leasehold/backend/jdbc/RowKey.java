package io.leasehold.backend.jdbc;

import io.leasehold.spi.LockId;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;

/**
 * The key of a lock's row: the SHA-256 of its encoded id. A text column as key would leave it to the column's collation
 * whether {@code User:1} and {@code user:1} are one lock.
 */
final class RowKey {

    private static final String SHA_256 = "SHA-256";

    /** Found once: each search for it takes as long as a digest. */
    private static final Provider PROVIDER = find();

    private RowKey() {}

    static byte[] of(LockId id) {
        try {
            return MessageDigest.getInstance(SHA_256, PROVIDER).digest(id.bytes());
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("every Java platform has SHA-256", ex);
        }
    }

    private static Provider find() {
        try {
            return MessageDigest.getInstance(SHA_256).getProvider();
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("every Java platform has SHA-256", ex);
        }
    }
}
