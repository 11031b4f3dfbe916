package io.leasehold.faults;

/** An operation of a caller during a fault. */
enum Operation {

    /** Tries once to acquire a free lock. */
    ACQUIRE,

    /** Waits for a lock that another process holds and releases in the middle of the fault. */
    WAIT,

    /** Holds a lock without calling it; the fault affects the watchdog. */
    HOLD,

    /** Renews a lock on demand. */
    RENEW,

    /** Releases a lock. */
    RELEASE,

    /** Tries to acquire a free lock with an engine that is closed in the meantime. */
    CLOSE,

    /** Inspects the store for settings that make locks less safe. */
    INSPECT,

    /** Reads the holder of a lock of another process. */
    ASK,

    /** Takes a lock from another process that holds it. */
    END;

    /** Whether the caller holds a lock from the start. */
    boolean beginsWithALock() {
        return this == HOLD || this == RENEW || this == RELEASE;
    }

    /** Whether the caller's lock has to be renewed in spite of the fault. */
    boolean isRenewed() {
        return this == HOLD || this == RENEW;
    }

    /** Whether another process holds the lock until the operation is over. */
    boolean concernsAnotherHolder() {
        return this == ASK || this == END;
    }
}
