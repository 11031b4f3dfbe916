package io.leasehold.faults;

/** What happens to a process's connections to the store. */
enum NetworkFault {

    /** Nothing arrives until the network heals; then everything does. */
    STALL,

    /** What the server answers is lost together with the connection. */
    LOSE_REPLY,

    /** Everything arrives, later than callers wait for. */
    DELAY,

    /** Connections are cut, also new ones. */
    RESET,

    /** Connections are cut, and nobody listens. */
    REFUSE,

    /** Nothing arrives until the caller has given up; then it does. */
    LATE_PACKET;

    boolean cuts() {
        return this == LOSE_REPLY || this == RESET || this == REFUSE;
    }
}
