package io.leasehold.faults;

/** Where in the conversation with the store a fault strikes. */
enum Position {

    /** The request does not reach the server. */
    BEFORE_REQUEST,

    /** The server has done what it was asked; its answer does not come. */
    BEFORE_REPLY,

    /** The first half of an answer has arrived. */
    INSIDE_REPLY,

    /** The connection has been cut, so that the fault meets the handshake of a new one. */
    FIRST_USE
}
