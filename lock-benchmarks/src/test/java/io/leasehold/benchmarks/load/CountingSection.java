package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.measure.WaitHistogram;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads the shared counter, takes its time, and writes the counter. Whoever else is in the section meanwhile makes the
 * counter too small.
 */
final class CountingSection implements Section {

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
            LockSupport.parkNanos(nanos);
        }
        ledger.entries(entries + 1);
        ledger.leftAt(System.nanoTime());
    }

    @Override
    public WaitHistogram gaps() {
        return gaps;
    }
}
