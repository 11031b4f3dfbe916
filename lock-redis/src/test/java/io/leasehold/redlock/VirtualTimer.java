package io.leasehold.redlock;

import io.leasehold.support.Scheduler;
import io.leasehold.testsupport.ManualTime;
import java.util.function.LongSupplier;

/** The clock and timer of nodes, moved by a test. */
final class VirtualTimer extends ManualTime implements Scheduler, LongSupplier {

    @Override
    public Task schedule(Runnable task, long delayNanos) {
        return add(task, delayNanos)::run;
    }

    @Override
    public long getAsLong() {
        return nanos();
    }
}
