package io.leasehold.engine;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ways for a thread to wait. */
final class Waits {

    private Waits() {}

    /** Waits for a future to end in whatever way, no longer than given. */
    static void await(CompletableFuture<?> future, long nanos) throws InterruptedException {
        if (future.isDone()) {
            return;
        }
        try {
            future.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException | CancellationException | TimeoutException ex) {
            return;
        }
    }

    /** Waits as {@link #await} does and answers to an interrupt only afterwards, by its flag. */
    static void awaitUninterruptibly(CompletableFuture<?> future, long nanos, Ticker ticker) {
        long start = ticker.nanos();
        boolean interrupted = false;
        while (true) {
            try {
                await(future, nanos - (ticker.nanos() - start));
                break;
            } catch (InterruptedException ex) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sleeps; answers whether it was interrupted, and clears the flag. */
    static boolean sleep(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
            return false;
        } catch (InterruptedException ex) {
            return true;
        }
    }
}
