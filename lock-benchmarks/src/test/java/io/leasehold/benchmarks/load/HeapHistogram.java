package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.process.Task;
import io.leasehold.benchmarks.process.Workbench;
import java.lang.management.ManagementFactory;
import java.util.stream.Collectors;
import javax.management.ObjectName;

/**
 * Returns the classes whose instances use most of the process's heap.
 *
 * @param lines how many classes
 */
public record HeapHistogram(int lines) implements Task<String> {

    @Override
    public String run(Workbench bench) throws Exception {
        Object text = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {null},
                        new String[] {String[].class.getName()});
        return text.toString().lines().limit(lines).collect(Collectors.joining("\n"));
    }
}
