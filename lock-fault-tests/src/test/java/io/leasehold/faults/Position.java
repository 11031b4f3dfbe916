package io.leasehold.faults;

/** The point of the conversation with the store at which a fault strikes. */
enum Position {

    /** The request does not reach the server. */
    BEFORE_REQUEST,

    /** The server has executed the request; its answer does not arrive. */
    BEFORE_REPLY,

    /** The first half of an answer has arrived. */
    INSIDE_REPLY,

    /** The connection has been cut, so the fault affects the handshake of a new connection. */
    FIRST_USE
}
