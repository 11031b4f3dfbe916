package io.leasehold.spi;

/** A store's answer to a {@link RenewCommand}. */
public enum RenewAnswer {

    /** The lease existed and is kept for at least its new ttl. */
    RENEWED,

    /** The lease has expired, was removed, or belongs to another token. It will never be renewed again. */
    NOT_OWNER,

    /**
     * The lease was {@linkplain LockBackend#revoke revoked}. It will never be renewed again. A backend that cannot tell
     * this case answers {@link #NOT_OWNER}.
     */
    REVOKED,

    /** The store did not answer for this lease. It is unknown whether the lease was renewed. */
    UNKNOWN
}
