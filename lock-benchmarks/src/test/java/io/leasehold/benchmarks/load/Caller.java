package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.contestant.Hold;
import io.leasehold.benchmarks.contestant.LockClient;
import io.leasehold.benchmarks.measure.WaitHistogram;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Acquires and releases a lock in a loop until the window is over, and measures the wait of each call. A wait that
 * began within the window is measured to its end, however late. A lock that is granted after the window does not count
 * as an acquisition within it.
 */
final class Caller implements Runnable {

    private static final int MOST_ERRORS = 1000;

    private final LockClient client;

    private final Supplier<String> keys;

    private final Section section;

    private final CountDownLatch start;

    private final CountDownLatch done;

    private final CountDownLatch leave;

    private final long windowNanos;

    final WaitHistogram waits = new WaitHistogram();

    int inWindow;

    long acquisitions;

    int errors;

    @Nullable
    String firstError;

    Caller(
            LockClient client,
            Supplier<String> keys,
            Section section,
            CountDownLatch start,
            CountDownLatch done,
            CountDownLatch leave,
            long windowNanos) {
        this.client = client;
        this.keys = keys;
        this.section = section;
        this.start = start;
        this.done = done;
        this.leave = leave;
        this.windowNanos = windowNanos;
    }

    @Override
    public void run() {
        try {
            start.await();
            long end = System.nanoTime() + windowNanos;
            while (System.nanoTime() - end < 0 && errors < MOST_ERRORS) {
                once(end);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } finally {
            done.countDown();
        }
        try {
            leave.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    WaitHistogram gaps() {
        return section.gaps();
    }

    private void once(long end) {
        try {
            String key = keys.get();
            long asked = System.nanoTime();
            Hold hold = client.acquire(key);
            long granted = System.nanoTime();
            section.pass();
            acquisitions++;
            if (granted - end < 0) {
                inWindow++;
            }
            waits.record(granted - asked);
            hold.release();
        } catch (Exception ex) {
            errors++;
            if (firstError == null) {
                firstError = ex.toString();
            }
        }
    }
}
