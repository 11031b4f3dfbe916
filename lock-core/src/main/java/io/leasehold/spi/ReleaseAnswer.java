package io.leasehold.spi;

/** What a store answers to a {@link ReleaseCommand}. */
public enum ReleaseAnswer {

    /** The lease was there, and is gone or left to expire as asked. */
    RELEASED,

    /** There is no such lease: it has expired, was removed before, or the lock belongs to another token. */
    NOT_OWNER
}
