package io.leasehold.metrics;

/**
 * The meters. Each has the tags {@code locker} and {@code backend}, and {@code outcome} if there are several outcomes.
 * The meters of a store have no tag {@code locker}, because its lockers share it. No meter has a tag for the key,
 * because its values are unbounded and may be confidential.
 */
public enum LockMeters {

    /** Timer: how long callers waited for a lock, by outcome: acquired, timeout, interrupted, error. */
    ACQUIRE("lock.acquire", "How long callers waited for a lock"),

    /** Timer: how long locks were held, to their release or loss. */
    HOLD("lock.hold", "How long locks were held"),

    /** Counter: locks that a holder handed over to a waiter of the same process, without the store. */
    HANDOVER("lock.handover", "Locks that were handed over inside this process"),

    /** Counter: renewals, by outcome: success, failure, lost. */
    RENEW("lock.renew", "Renewals of held locks"),

    /** Counter: locks that were lost while they were held. */
    LOST("lock.lost", "Locks that were lost while their holder worked"),

    /** Gauge: locks that are held in this process. */
    HELD("lock.held", "Locks that are held in this process"),

    /** Gauge: callers that wait for a lock in this process. */
    WAITING("lock.waiting", "Callers that wait for a lock in this process"),

    /** Gauge, in seconds: the age of the oldest hold; 0 if no lock is held. */
    OLDEST_HOLD("lock.hold.oldest", "Age of the oldest hold in this process"),

    /** Gauge, in seconds: how long the caller has waited that has waited the longest; 0 if no caller waits. */
    LONGEST_WAIT("lock.wait.longest", "Longest wait that goes on in this process"),

    /**
     * Gauge, in seconds: the shortest remaining validity of the held locks that have been renewed or are at least two
     * seconds old; {@code NaN} if there is none.
     */
    REMAINING("lock.remaining", "Least remaining validity of the locks that are held in this process"),

    /** Gauge: entries whose removal the store has not confirmed, such as acquisitions and releases of unknown outcome. */
    REAPER_PENDING("lock.reaper.pending", "Entries that are being removed from the store"),

    /** Gauge: operations of callers that wait for a connection to the database. */
    JDBC_QUEUED("lock.jdbc.queued", "Operations of callers that wait for a connection"),

    /** Gauge: connections that operations of callers use now. */
    JDBC_ACTIVE("lock.jdbc.active", "Connections that operations of callers use now"),

    /** Gauge: the maximum of {@link #JDBC_ACTIVE}. */
    JDBC_CONNECTIONS("lock.jdbc.connections", "Maximum number of connections for operations of callers"),

    /** Counter: operations of callers without an answer of the database, by outcome: not_sent, not_answered. */
    JDBC_ENDED("lock.jdbc.ended", "Operations of callers that ended without an answer of the database");

    /** The tag of the locker's name. */
    public static final String LOCKER = "locker";

    /** The tag of the store's name. */
    public static final String BACKEND = "backend";

    /** The tag of the outcome. */
    public static final String OUTCOME = "outcome";

    private final String meterName;

    private final String description;

    LockMeters(String meterName, String description) {
        this.meterName = meterName;
        this.description = description;
    }

    /** The meter's name in Micrometer's form. */
    public String meterName() {
        return meterName;
    }

    /** The meter's description, a sentence without a full stop. */
    public String description() {
        return description;
    }
}
