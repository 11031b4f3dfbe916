package io.leasehold.faults;

/** What happens to the store itself, for all processes at once. */
enum ServerFault {

    /** SIGSTOP, and SIGCONT later: connections stay open, nothing answers. */
    PAUSE,

    /** SIGKILL, and a restart with what the server had on disk. */
    KILL,

    /** SIGKILL, and a restart without any data. */
    KILL_AND_FORGET
}
