package io.leasehold.aop.reactive;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The scheduler on which a subscription continues after an answer that arrived on a thread of the library. */
final class SubscriberScheduler {

    private SubscriberScheduler() {}

    /** A scheduler that may block if the current thread may. Reactor does not expose the scheduler of a thread. */
    static Scheduler current() {
        return Schedulers.isInNonBlockingThread() ? Schedulers.parallel() : Schedulers.boundedElastic();
    }
}
