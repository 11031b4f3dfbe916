package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.measure.WaitHistogram;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads the shared counter, waits for the length of the section, and writes the counter. If another thread is in the
 * section at the same time, the counter loses an entry.
 */
final class CountingSection implements Section {

    /**
     * How late a parked thread may wake up. The thread spins for this last part of the section, so that it is not late.
     */
    private static final long LATE_NANOS = 150_000;

    private final SharedLedger ledger;

    private final long nanos;

    private final WaitHistogram gaps = new WaitHistogram();

    CountingSection(SharedLedger ledger, long nanos) {
        this.ledger = ledger;
        this.nanos = nanos;
    }

    @Override
    public void pass() {
        long leftAt = ledger.leftAt();
        if (leftAt != 0) {
            gaps.record(System.nanoTime() - leftAt);
        }
        long entries = ledger.entries();
        if (nanos > 0) {
            takeTime();
        }
        ledger.entries(entries + 1);
        ledger.leftAt(System.nanoTime());
    }

    private void takeTime() {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            if (left > LATE_NANOS) {
                LockSupport.parkNanos(left - LATE_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public WaitHistogram gaps() {
        return gaps;
    }
}
