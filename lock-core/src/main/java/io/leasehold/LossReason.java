package io.leasehold;

/** Why a lock ended other than by release. */
public enum LossReason {

    /** The store did not confirm a renewal in time. The lock may have expired in the store. */
    EXPIRED("its lease was not renewed in time: the store did not confirm a renewal"),

    /** The ttl was over, and automatic renewal is off. The lock may have expired in the store. */
    NOT_RENEWED("its ttl was over, and automatic renewal is off (switch it on, raise the ttl, or renew in time)"),

    /** The store answered that the lock is gone or belongs to another holder. */
    NOT_OWNER("the store says that it is gone or belongs to another holder"),

    /** The lock reached its maximum hold time. */
    MAX_HOLD_TIME("it was held for its maximum hold time"),

    /** The lock was taken from its holder by {@link Locker#forceRelease}. */
    REVOKED("it was taken from its holder by a forced release"),

    /** The locker or the application was shut down before the holder had finished. */
    SHUTDOWN("its locker or the application was shut down before the holder had finished");

    private final String explanation;

    LossReason(String explanation) {
        this.explanation = explanation;
    }

    /**
     * Returns the explanation, phrased as the end of a sentence that begins with "the lock was lost because".
     *
     * @return the explanation, for logs and messages
     */
    public String explanation() {
        return explanation;
    }
}
