package io.leasehold.testsupport;

/** What a {@link FaultProxy} does with connections. Bytes inside a live connection are never left out. */
public enum FaultMode {

    /** Passes everything on. */
    PASS,

    /** Holds everything that arrives and keeps connections open; another mode delivers it. */
    STALL,

    /** Holds what clients send, and passes on what the server answers. */
    STALL_REQUESTS,

    /** Passes on what clients send, and holds what the server answers. */
    STALL_REPLIES,

    /** Passes on what clients send; cuts a connection when the server's answer arrives, without delivering it. */
    LOSE_REPLY,

    /** Passes everything on, later. */
    DELAY,

    /** Cuts every connection, and each new one as soon as it is accepted. */
    RESET,

    /** Cuts every connection and accepts none: clients find the port closed. */
    REFUSE
}
