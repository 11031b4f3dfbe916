package io.leasehold;

/** Why a lock ended other than by release. */
public enum LossReason {

    /** The store has not confirmed the lock in time, so it may have expired there. */
    EXPIRED("its lease was not confirmed by the store in time"),

    /** The store says that the lock is not there any more, or belongs to somebody else. */
    NOT_OWNER("the store says that it is gone or belongs to another holder"),

    /** The lock was held for as long as it may be. */
    MAX_HOLD_TIME("it was held for its maximum hold time"),

    /** The application is shutting down, and its holder did not finish in time. */
    SHUTDOWN("the application shut down before the holder had finished");

    private final String explanation;

    LossReason(String explanation) {
        this.explanation = explanation;
    }

    /**
     * The reason as the end of a sentence that begins with "the lock was lost because".
     *
     * @return words for logs and messages
     */
    public String explanation() {
        return explanation;
    }
}
