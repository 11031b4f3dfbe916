package io.leasehold.spi;

/** A store's answer to a {@link ReleaseCommand}. */
public enum ReleaseAnswer {

    /** The lease existed. It has been removed, or will expire as the command requested. */
    RELEASED,

    /** The lease does not exist. It has expired, was removed before, or the lock belongs to another token. */
    NOT_OWNER
}
