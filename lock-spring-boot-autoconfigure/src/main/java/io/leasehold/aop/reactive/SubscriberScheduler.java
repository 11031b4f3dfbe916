package io.leasehold.aop.reactive;

import io.leasehold.support.DaemonThreads;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The scheduler on which a subscription continues after an answer that arrived on a thread of the library. */
final class SubscriberScheduler {

    /**
     * Continues subscribers that may block. The number of its threads has no limit, since all of them may wait for the
     * result of another subscription, as all threads of {@code boundedElastic} may. Idle threads end after ten seconds.
     */
    private static final Scheduler BLOCKING = Schedulers.fromExecutorService(
            new ThreadPoolExecutor(
                    0,
                    Integer.MAX_VALUE,
                    10,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    DaemonThreads.named("leasehold-subscriber")),
            "leasehold-subscriber");

    private SubscriberScheduler() {}

    /** A scheduler that may block if the current thread may. Reactor does not expose the scheduler of a thread. */
    static Scheduler current() {
        return Schedulers.isInNonBlockingThread() ? Schedulers.parallel() : BLOCKING;
    }
}
