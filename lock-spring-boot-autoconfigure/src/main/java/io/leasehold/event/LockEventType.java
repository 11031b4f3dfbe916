package io.leasehold.event;

/** The kinds of events that can be published. */
public enum LockEventType {

    /** {@link LockLostEvent}. */
    LOST,

    /** {@link LockForceReleasedEvent}. */
    FORCE_RELEASED,

    /** {@link LockAtRiskEvent}. */
    AT_RISK,

    /** {@link LockAcquiredEvent}. */
    ACQUIRED,

    /** {@link LockReleasedEvent}. */
    RELEASED
}
