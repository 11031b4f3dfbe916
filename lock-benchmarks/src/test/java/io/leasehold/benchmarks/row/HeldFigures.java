package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.report.Numbers;
import io.leasehold.benchmarks.report.Report;
import java.util.List;

/**
 * The cost of holding locks.
 *
 * @param lost how many locks were missing in the store at the end
 * @param cpu processor time of the holding process, in seconds per minute
 * @param storeCpu processor time of the store, in seconds per minute
 * @param sent commands per second that were sent to the store
 * @param scripted commands per second inside of scripts
 * @param heap bytes per lock, without the text of its key
 * @param threadsBefore number of threads of the process before it acquired the locks
 * @param threads number of its threads while it held them
 * @param allocated bytes allocated per second
 */
record HeldFigures(
        int lost,
        double cpu,
        double storeCpu,
        double sent,
        double scripted,
        double heap,
        int threadsBefore,
        int threads,
        double allocated) {

    static final List<String> HEADERS = List.of(
            "",
            "lost",
            "CPU s/min JVM",
            "CPU s/min store",
            "commands sent/s",
            "in scripts/s",
            "heap bytes per lock",
            "threads before / while",
            "bytes allocated/s");

    List<String> line(String title) {
        return List.of(
                title,
                Integer.toString(lost),
                Numbers.of(cpu),
                Numbers.of(storeCpu),
                Numbers.of(sent),
                Numbers.of(scripted),
                Numbers.of(heap),
                threadsBefore + " / " + threads,
                Numbers.of(allocated));
    }

    void writeTo(Report report, String row, String contestant) {
        report.raw(row, contestant, 1, "lost", lost);
        report.raw(row, contestant, 1, "jvm_cpu_s_per_min", cpu);
        report.raw(row, contestant, 1, "store_cpu_s_per_min", storeCpu);
        report.raw(row, contestant, 1, "commands_sent_per_s", sent);
        report.raw(row, contestant, 1, "commands_scripted_per_s", scripted);
        report.raw(row, contestant, 1, "heap_bytes_per_lock", heap);
        report.raw(row, contestant, 1, "threads", threads);
        report.raw(row, contestant, 1, "allocated_bytes_per_s", allocated);
    }
}
