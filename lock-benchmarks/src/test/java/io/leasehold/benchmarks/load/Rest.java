package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.process.Task;
import io.leasehold.benchmarks.process.Workbench;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Does nothing for a while, so that only background work is measured.
 *
 * @param duration the time without calls
 */
public record Rest(Duration duration) implements Task<RestOutcome> {

    @Override
    public RestOutcome run(Workbench bench) throws Exception {
        Usage before = Usage.now();
        Thread.sleep(duration.toMillis());
        Usage used = Usage.now().since(before);
        return new RestOutcome(used, ManagementFactory.getThreadMXBean().getThreadCount());
    }
}
