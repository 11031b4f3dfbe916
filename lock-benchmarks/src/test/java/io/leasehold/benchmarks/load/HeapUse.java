package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.process.Task;
import io.leasehold.benchmarks.process.Workbench;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** Returns how many bytes of the process's heap are in use after a garbage collection. */
public record HeapUse() implements Task<Long> {

    private static final int COLLECTIONS = 4;

    @Override
    public Long run(Workbench bench) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
