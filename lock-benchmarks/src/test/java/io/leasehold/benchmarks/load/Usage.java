package io.leasehold.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.Serializable;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this process has used of its machine.
 *
 * @param cpuNanos processor time
 * @param allocatedBytes heap memory, given back or not, of the platform threads that are alive
 * @param compilingMillis for how long its compilers were at work; two at the same time count twice
 */
public record Usage(long cpuNanos, long allocatedBytes, long compilingMillis) implements Serializable {

    static final Usage NONE = new Usage(0, 0, 0);

    /** What it has used up to now. */
    public static Usage now() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            allocated += Math.max(0, bytes);
        }
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Usage(system.getProcessCpuTime(), allocated, compilingNow());
    }

    /**
     * What was used after an earlier moment.
     *
     * @param earlier what had been used then
     * @return the difference
     */
    public Usage since(Usage earlier) {
        return new Usage(
                cpuNanos - earlier.cpuNanos,
                allocatedBytes - earlier.allocatedBytes,
                compilingMillis - earlier.compilingMillis);
    }

    Usage plus(Usage other) {
        return new Usage(
                cpuNanos + other.cpuNanos,
                allocatedBytes + other.allocatedBytes,
                compilingMillis + other.compilingMillis);
    }

    private static long compilingNow() {
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        return compilers == null || !compilers.isCompilationTimeMonitoringSupported()
                ? 0
                : compilers.getTotalCompilationTime();
    }
}
