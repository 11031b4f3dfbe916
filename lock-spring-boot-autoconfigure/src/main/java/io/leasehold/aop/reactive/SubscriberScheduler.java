package io.leasehold.aop.reactive;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Where a subscription goes on after an answer that came on a thread of the library. */
final class SubscriberScheduler {

    private SubscriberScheduler() {}

    /** A scheduler whose threads may block if the current one may: Reactor does not tell which one it belongs to. */
    static Scheduler current() {
        return Schedulers.isInNonBlockingThread() ? Schedulers.parallel() : Schedulers.boundedElastic();
    }
}
