package io.leasehold.jdbc.table;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Remembers which keys have had a row lately. A lock with a row is acquired by a plain update, which costs the server a
 * third less than the statement that can also insert the row. It is only a hint: a wrong answer costs one more
 * statement. Memory is fixed; a key replaces the previous key of its slot.
 */
final class RecentKeys {

    private static final int SLOTS = 1 << 14;

    // No ordering is needed: a late read only selects the other statement.
    private final AtomicIntegerArray fingerprints = new AtomicIntegerArray(SLOTS);

    void add(byte[] key) {
        fingerprints.setPlain(slot(key), fingerprint(key));
    }

    void remove(byte[] key) {
        fingerprints.setPlain(slot(key), 0);
    }

    boolean contains(byte[] key) {
        return fingerprints.getPlain(slot(key)) == fingerprint(key);
    }

    private static int slot(byte[] key) {
        return ByteBuffer.wrap(key).getInt(0) & SLOTS - 1;
    }

    private static int fingerprint(byte[] key) {
        return ByteBuffer.wrap(key).getInt(4) | 1;
    }
}
