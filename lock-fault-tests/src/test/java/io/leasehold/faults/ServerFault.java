package io.leasehold.faults;

import java.util.Set;

/** Faults of the store, which affect all processes at the same time. */
enum ServerFault {

    /** SIGSTOP, and SIGCONT later. Connections stay open, and the server does not answer. */
    PAUSE,

    /** Like PAUSE, for the command timeout plus less than a third of a ttl. Callers give up, leases survive. */
    STALL,

    /** SIGKILL, and a restart with the data on disk. */
    KILL,

    /** Like KILL, with a restart within a second. */
    RESTART,

    /** SIGKILL, and a restart without any data. */
    KILL_AND_FORGET;

    /** The faults after which the server still has all data that it had confirmed. */
    static final Set<ServerFault> WITH_DATA = Set.of(PAUSE, STALL, KILL, RESTART);

    boolean pauses() {
        return this == PAUSE || this == STALL;
    }
}
