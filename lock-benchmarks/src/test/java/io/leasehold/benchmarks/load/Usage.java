package io.leasehold.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.Serializable;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/**
 * The resources that this process has used.
 *
 * @param cpuNanos processor time
 * @param allocatedBytes heap memory that platform threads that are still alive have allocated, whether freed or not
 * @param compilingMillis how long its compilers worked; two at the same time count twice
 */
public record Usage(long cpuNanos, long allocatedBytes, long compilingMillis) implements Serializable {

    static final Usage NONE = new Usage(0, 0, 0);

    /** The usage up to now. */
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
     * Returns the usage since an earlier moment.
     *
     * @param earlier the usage at that moment
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
