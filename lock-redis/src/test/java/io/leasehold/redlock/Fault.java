package io.leasehold.redlock;

/** The fate of a command on its way to a node. */
enum Fault {

    /** The command and its answer arrive. */
    NONE,

    /** The command is executed but fails immediately for the caller, which cannot know whether it was executed. */
    LOSE_REPLY,

    /** The command fails immediately, and the caller knows that it was not executed. */
    REFUSE,

    /** The command is executed and answered after a delay that is shorter than a caller waits. */
    SLOW,

    /** The command never arrives, and there is no answer. */
    LOSE_REQUEST,

    /** The command is executed much later than any caller waits, even if the caller gives up on it. */
    LATE,

    /** As {@link #LATE}, and the command fails immediately for the caller, because the connection ends. */
    LATE_AFTER_RESET
}
