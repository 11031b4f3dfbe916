package io.leasehold.test;

import io.leasehold.LockHandle;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Checks from inside the publisher of a locked method that its lock is held. Needs Reactor. */
public final class ReactiveLockAssert {

    private ReactiveLockAssert() {}

    /**
     * Checks the lock of the Reactor context, on any thread.
     *
     * @return emits the innermost lock; fails with an {@link AssertionError} if the context has no lock, or it is
     *     released or lost
     */
    public static Mono<LockHandle> assertHeld() {
        return Mono.deferContextual(context -> Mono.just(assertHeld(context)));
    }

    /**
     * Checks the lock of a Reactor context.
     *
     * @return the innermost lock
     * @throws AssertionError if the context has no lock, or it is released or lost
     */
    public static LockHandle assertHeld(ContextView context) {
        LockHandle lock = context.<LockHandle>getOrEmpty(LockHandle.class)
                .orElseThrow(() -> new AssertionError("Expected this publisher to run under a lock, but its Reactor"
                        + " context has none. The check belongs inside the Mono or Flux that the locked method returns,"
                        + " and the method must be called through its Spring proxy."));
        LockAssert.requireHeld(lock);
        return lock;
    }
}
