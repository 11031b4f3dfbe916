package io.leasehold.spi;

/** What a store answers to a {@link RenewCommand}. */
public enum RenewAnswer {

    /** The lease was there and runs for its new ttl. */
    RENEWED,

    /** The lease has expired, was removed, or belongs to another token. It will never be renewed again. */
    NOT_OWNER,

    /** The store did not answer for this lease; whether it was renewed is unknown. */
    UNKNOWN
}
