package io.leasehold.jdbc.table;

import io.leasehold.spi.LockId;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The key of a lock's row: the SHA-256 of its encoded id. If the key were a text column, the column's collation would
 * decide whether {@code User:1} and {@code user:1} are the same lock.
 */
public final class KeyHash {

    /** Cloned for each key: looking up an instance takes longer than a digest. */
    private static final MessageDigest SHA_256 = find();

    private KeyHash() {}

    public static byte[] of(LockId id) {
        byte[] encoded = id.bytes();
        try {
            return ((MessageDigest) SHA_256.clone()).digest(encoded);
        } catch (CloneNotSupportedException ex) {
            return find().digest(encoded);
        }
    }

    private static MessageDigest find() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("every Java platform has SHA-256", ex);
        }
    }
}
