package io.leasehold.benchmarks.row;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition. */
final class Sleep {

    private static final long STEP_MILLIS = 500;

    private Sleep() {}

    /** Waits until the condition is true or the time is over. */
    static void upTo(Duration longest, BooleanSupplier condition) {
        long end = System.nanoTime() + longest.toNanos();
        try {
            while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
                Thread.sleep(STEP_MILLIS);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", ex);
        }
    }
}
