package io.leasehold.redis;

import io.leasehold.spi.LockId;

/** Guesses which locks are still wanted by several, since they were a moment ago. A wrong guess costs a command. */
final class RecentlyBusy {

    private static final int SLOTS = 256;

    private static final byte ASSUMED = 16;

    private final byte[] times = new byte[SLOTS];

    void found(LockId id) {
        times[slot(id)] = ASSUMED;
    }

    boolean isLikely(LockId id) {
        int slot = slot(id);
        byte left = times[slot];
        if (left == 0) {
            return false;
        }
        times[slot] = (byte) (left - 1);
        return true;
    }

    private static int slot(LockId id) {
        int hash = id.hashCode();
        return (hash ^ hash >>> 16) & SLOTS - 1;
    }
}
