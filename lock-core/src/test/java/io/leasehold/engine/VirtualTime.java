package io.leasehold.engine;

import io.leasehold.LockListener;
import io.leasehold.support.Parker;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import io.leasehold.testsupport.ManualTime;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** The clocks and the scheduler of an engine, moved by a test. */
final class VirtualTime extends ManualTime implements Ticker, Scheduler {

    /**
     * A waiting thread reads the clock every 10 ms, because a test moves the clock. A shutdown counts its polls of 10 ms,
     * so it waits as long as in real time.
     */
    private static final Parker PARKER = new Parker() {

        @Override
        public void park(Object blocker, long nanos) {
            LockSupport.parkNanos(blocker, Math.min(nanos, 10_000_000));
        }

        @Override
        public void unpark(Thread thread) {
            LockSupport.unpark(thread);
        }
    };

    @Override
    public Task schedule(Runnable task, long delayNanos) {
        return add(task, delayNanos)::run;
    }

    /** Settings without a wait time. While the thread of a test waits, no other thread moves the clock. */
    static LockerSettings settings(String name) {
        return LockerSettings.of(name).withWaitTime(Duration.ZERO);
    }

    /** Creates an engine on this clock. Tasks of its own threads run on the thread that causes them. */
    LockEngine engine(LockListener listener) {
        return engine(listener, Runnable::run);
    }

    /** Creates an engine on this clock with another executor for asynchronous calls. */
    LockEngine engine(LockListener listener, Executor async) {
        return engine(listener, this, this, new EngineExecutors(async, Runnable::run, Runnable::run));
    }

    /** Creates an engine on other clocks. */
    static LockEngine engine(LockListener listener, Ticker ticker, Scheduler scheduler, EngineExecutors executors) {
        return new LockEngine(
                listener, ticker, scheduler, PARKER, EngineResources::random, new TokenSource(), executors);
    }

    static EngineExecutors callersThread() {
        return new EngineExecutors(Runnable::run, Runnable::run, Runnable::run);
    }
}
