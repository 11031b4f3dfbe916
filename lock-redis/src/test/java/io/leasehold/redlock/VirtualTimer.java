package io.leasehold.redlock;

import io.leasehold.support.Scheduler;
import io.leasehold.testsupport.ManualTime;
import java.util.function.LongSupplier;

/** The clock and the timer of nodes. A test moves them. */
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
