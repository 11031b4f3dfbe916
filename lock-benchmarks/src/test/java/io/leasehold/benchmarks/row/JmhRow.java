package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.report.MarkdownTable;
import io.leasehold.benchmarks.report.Numbers;
import io.leasehold.benchmarks.report.Report;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * A measurement with JMH inside one JVM.
 *
 * @param name the row's name
 * @param title the title of the table
 * @param benchmark the class with the benchmark methods
 * @param meanings a label for each method, by the method's name
 */
public record JmhRow(String name, String title, Class<?> benchmark, Map<String, String> meanings) implements Row {

    /** With fewer iterations, the error is larger than the measured value. */
    private static final int LEAST_ITERATIONS = 10;

    private static final String ALLOCATED = "gc.alloc.rate.norm";

    @Override
    @SuppressWarnings("rawtypes")
    public void run(Effort effort, Report report) {
        report.paragraph("### " + title);
        report.progress(name + ": see target/jmh-" + name + ".txt");
        MarkdownTable table = new MarkdownTable(List.of("", "ns per call", "bytes allocated per call"));
        for (RunResult result : measure(effort)) {
            var time = result.getPrimaryResult();
            double bytes = result.getSecondaryResults().entrySet().stream()
                    .filter(entry -> entry.getKey().endsWith(ALLOCATED))
                    .mapToDouble(entry -> entry.getValue().getScore())
                    .findFirst()
                    .orElse(Double.NaN);
            String meaning = meanings.getOrDefault(time.getLabel(), time.getLabel());
            table.add(List.of(
                    meaning,
                    Numbers.of(time.getScore()) + " ± " + Numbers.of(time.getScoreError()),
                    Numbers.of(bytes)));
            report.raw(name, time.getLabel(), 1, "ns_per_call", time.getScore());
            report.raw(name, time.getLabel(), 1, "allocated_bytes", bytes);
        }
        report.paragraph(table);
    }

    private Collection<RunResult> measure(Effort effort) {
        int iterations = Math.max(LEAST_ITERATIONS, effort.rounds());
        TimeValue window = TimeValue.milliseconds(effort.window().toMillis());
        try {
            return new Runner(new OptionsBuilder()
                            .include("^" + benchmark.getName().replace(".", "\\.") + "\\.")
                            .mode(Mode.AverageTime)
                            .timeUnit(TimeUnit.NANOSECONDS)
                            .forks(1)
                            .warmupIterations(iterations)
                            .warmupTime(window)
                            .measurementIterations(iterations)
                            .measurementTime(window)
                            .addProfiler(GCProfiler.class)
                            .shouldFailOnError(true)
                            .output("target/jmh-" + name + ".txt")
                            .build())
                    .run();
        } catch (RunnerException ex) {
            throw new IllegalStateException("JMH could not run " + benchmark.getName(), ex);
        }
    }
}
