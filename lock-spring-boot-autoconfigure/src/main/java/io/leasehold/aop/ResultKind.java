package io.leasehold.aop;

/** What a locked method returns, as far as the lock is concerned. */
enum ResultKind {

    /** Something that is there when the method returns, or nothing. */
    VALUE,

    /** A primitive: it has no way to say that the call was skipped. */
    PRIMITIVE,

    /** A {@code CompletionStage} or {@code CompletableFuture}: the work ends when it completes. */
    STAGE,

    /** A Reactor {@code Mono}, or what a Kotlin function suspends for: the work is between subscription and end. */
    MONO,

    /** A Reactor {@code Flux}: the work is between subscription and end. */
    FLUX
}
