package io.leasehold.support;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** How a thread of a caller waits; a seam for tests. The methods are those of {@link LockSupport}. */
public interface Parker {

    /**
     * Blocks this thread until it is unparked or interrupted, or the time is over; may return for no reason.
     *
     * @param blocker what the thread waits for, for thread dumps
     * @param nanos the longest wait
     */
    void park(Object blocker, long nanos);

    /**
     * Ends the present or the next wait of a thread.
     *
     * @param thread the thread
     */
    void unpark(Thread thread);

    /**
     * The real threads of this JVM.
     *
     * @return the parker
     */
    static Parker system() {
        return SystemParker.INSTANCE;
    }

    /**
     * Waits until a future has ended, in whatever way, or the time is over.
     *
     * @param future what to wait for
     * @param nanos the longest wait
     * @param ticker measures the wait
     * @throws InterruptedException if the thread is interrupted before the future has ended
     */
    default void await(CompletableFuture<?> future, long nanos, Ticker ticker) throws InterruptedException {
        if (future.isDone()) {
            return;
        }
        Thread waiter = Thread.currentThread();
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

    /**
     * Waits like {@link #await}, and keeps an interrupt for later: the flag is set on return.
     *
     * @param future what to wait for
     * @param nanos the longest wait
     * @param ticker measures the wait
     */
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
