package io.leasehold.faults;

/** What a caller does with a lock while something breaks. */
enum Operation {

    /** Asks once for a lock that is free. */
    ACQUIRE,

    /** Waits for a lock that another process holds and gives back in the middle of the fault. */
    WAIT,

    /** Holds a lock and calls nothing: what meets the fault is the watchdog. */
    HOLD,

    /** Renews a lock on demand. */
    RENEW,

    /** Releases a lock. */
    RELEASE,

    /** Asks for a lock that is free, in an engine that is closed meanwhile. */
    CLOSE,

    /** Has the store inspected for what makes its locks less safe. */
    INSPECT;

    boolean beginsWithALock() {
        return this == HOLD || this == RENEW || this == RELEASE;
    }
}
