package io.leasehold.testsupport;

/** The behaviour of a {@link FaultProxy}. It never drops bytes inside a live connection. */
public enum FaultMode {

    /** Forwards everything. */
    PASS,

    /** Holds all bytes and keeps connections open. A later mode delivers them. */
    STALL,

    /** Holds the bytes of clients and forwards the answers of the server. */
    STALL_REQUESTS,

    /** Forwards the bytes of clients and holds the answers of the server. */
    STALL_REPLIES,

    /**
     * Forwards the bytes of clients. Cuts a connection when the server's answer arrives, without delivering the answer.
     */
    LOSE_REPLY,

    /** Forwards everything with a delay. */
    DELAY,

    /** Cuts every connection, and each new connection as soon as it is accepted. */
    RESET,

    /** Cuts every connection and accepts none. The port is closed for clients. */
    REFUSE
}
