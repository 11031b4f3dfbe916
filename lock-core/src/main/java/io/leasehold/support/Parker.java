package io.leasehold.support;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Blocks and unblocks the threads of callers, as {@link LockSupport} does. Tests replace it. */
public interface Parker {

    /**
     * Blocks this thread until it is unparked or interrupted, or the time has elapsed. May return spuriously.
     *
     * @param blocker the object that the thread waits for, for thread dumps
     * @param nanos the maximum time to wait
     */
    void park(Object blocker, long nanos);

    /** Ends the current or the next wait of a thread. */
    void unpark(Thread thread);

    /** Returns the parker for the real threads of this JVM. */
    static Parker system() {
        return SystemParker.INSTANCE;
    }

    /**
     * Waits until a future has completed, normally or exceptionally, or the time has elapsed.
     *
     * @param future the future to wait for
     * @param nanos the maximum time to wait
     * @param ticker measures the wait
     * @throws InterruptedException if the thread is interrupted before the future has completed
     */
    default void await(CompletableFuture<?> future, long nanos, Ticker ticker) throws InterruptedException {
        if (future.isDone()) {
            return;
        }
        Thread waiter = Thread.currentThread();
        // registered before the check in the loop, so that a completion in between ends the wait
        future.whenComplete((result, failure) -> unpark(waiter));
        long start = ticker.nanos();
        long left = nanos;
        while (!future.isDone() && left > 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            park(future, left);
            left = nanos - (ticker.nanos() - start);
        }
        if (!future.isDone() && Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** Waits like {@link #await}, but uninterruptibly. The interrupt flag is restored on return. */
    default void awaitUninterruptibly(CompletableFuture<?> future, long nanos, Ticker ticker) {
        long start = ticker.nanos();
        boolean interrupted = false;
        while (true) {
            try {
                await(future, nanos - (ticker.nanos() - start), ticker);
                break;
            } catch (InterruptedException ex) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Parks real threads. */
    enum SystemParker implements Parker {
        /** The only instance. */
        INSTANCE;

        @Override
        public void park(Object blocker, long nanos) {
            LockSupport.parkNanos(blocker, nanos);
        }

        @Override
        public void unpark(Thread thread) {
            LockSupport.unpark(thread);
        }
    }
}
