package io.leasehold.engine;

import io.leasehold.LockListener;
import io.leasehold.support.Parker;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import io.leasehold.testsupport.ManualTime;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The clocks and the scheduler of an engine, moved by a test. */
final class VirtualTime extends ManualTime implements Ticker, Scheduler {

    /**
     * A waiting thread reads the clock every 10 ms, because a test moves the clock. A shutdown counts its polls of 10
     * ms, so it waits as long as in real time.
     */
    private static final Parker REAL = new Parker() {

        @Override
        public void park(Object blocker, long nanos) {
            LockSupport.parkNanos(blocker, Math.min(nanos, 10_000_000));
        }

        @Override
        public void unpark(Thread thread) {
            LockSupport.unpark(thread);
        }
    };

    /** The thread whose waits move this clock. */
    private volatile @Nullable Thread moving;

    /** Closes an engine of this clock as {@link #moveDuring} does. */
    void close(LockEngine engine) {
        moveDuring(() -> {
            engine.close();
            return engine;
        });
    }

    /**
     * Makes a call that waits, such as the shutdown of an engine. This clock moves while the calling thread waits, so
     * the wait takes no real time.
     */
    <T> T moveDuring(Supplier<T> call) {
        moving = Thread.currentThread();
        try {
            return call.get();
        } finally {
            moving = null;
        }
    }

    private final class MovingParker implements Parker {

        @Override
        public void park(Object blocker, long nanos) {
            if (Thread.currentThread() == moving) {
                pass(Duration.ofNanos(nanos));
            } else {
                REAL.park(blocker, nanos);
            }
        }

        @Override
        public void unpark(Thread thread) {
            REAL.unpark(thread);
        }
    }

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
        EngineExecutors executors = new EngineExecutors(async, Runnable::run, Runnable::run);
        return engine(listener, this, this, executors);
    }

    /** Creates an engine on clocks that follow this one. */
    LockEngine engine(LockListener listener, Ticker ticker, Scheduler scheduler, EngineExecutors executors) {
        return new LockEngine(
                listener, ticker, scheduler, new MovingParker(), EngineResources::random, new TokenSource(), executors);
    }

    static EngineExecutors callersThread() {
        return new EngineExecutors(Runnable::run, Runnable::run, Runnable::run);
    }
}
