package io.leasehold.faults;

import java.util.Set;

/** What happens to the store itself, for all processes at once. */
enum ServerFault {

    /** SIGSTOP, and SIGCONT later: connections stay open, nothing answers. */
    PAUSE,

    /** The same for longer than a command timeout, and for less than a third of a ttl more: callers give up, leases live on. */
    STALL,

    /** SIGKILL, and a restart with what the server had on disk. */
    KILL,

    /** The same within a second. */
    RESTART,

    /** SIGKILL, and a restart without any data. */
    KILL_AND_FORGET;

    /** After these the server still has everything that it had confirmed. */
    static final Set<ServerFault> WITH_DATA = Set.of(PAUSE, STALL, KILL, RESTART);

    boolean pauses() {
        return this == PAUSE || this == STALL;
    }
}
