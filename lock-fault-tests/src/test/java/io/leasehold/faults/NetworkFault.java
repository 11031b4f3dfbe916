package io.leasehold.faults;

/** Faults of a process's connections to the store. */
enum NetworkFault {

    /** No bytes arrive until the network heals; then all bytes arrive. */
    STALL,

    /** The answers of the server are lost together with the connection. */
    LOSE_REPLY,

    /** All bytes arrive, but later than callers wait for them. */
    DELAY,

    /** Existing and new connections are cut. */
    RESET,

    /** Connections are cut, and the port is closed. */
    REFUSE,

    /** No bytes arrive until the caller has given up; then they arrive. */
    LATE_PACKET;

    boolean cuts() {
        return this == LOSE_REPLY || this == RESET || this == REFUSE;
    }
}
