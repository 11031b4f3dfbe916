package io.leasehold.aop;

/** What a locked method returns, as far as the lock is concerned. */
enum ResultKind {

    /** Something that is there when the method returns, or nothing. */
    VALUE,

    /** A primitive: it has no way to say that the call was skipped. */
    PRIMITIVE
}
