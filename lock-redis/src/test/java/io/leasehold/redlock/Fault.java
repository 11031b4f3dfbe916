package io.leasehold.redlock;

/** What becomes of a command on its way to a node. */
enum Fault {

    /** It arrives, and so does its answer. */
    NONE,

    /** It is carried out, and fails at once for the caller, who cannot know which. */
    LOSE_REPLY,

    /** It fails at once, and the caller knows that nothing was done. */
    REFUSE,

    /** It never arrives, and there is no answer. */
    LOSE_REQUEST,

    /** It is carried out much later than anybody waits for, even if the caller gives up on it. */
    LATE
}
