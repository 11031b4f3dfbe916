package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.measure.Spread;
import io.leasehold.benchmarks.report.MarkdownTable;
import io.leasehold.benchmarks.report.Numbers;
import io.leasehold.benchmarks.report.Report;
import io.leasehold.benchmarks.startup.ApplicationClassPath;
import io.leasehold.benchmarks.startup.ApplicationProcess;
import io.leasehold.benchmarks.startup.Idle;
import io.leasehold.benchmarks.startup.LockingApplication;
import io.leasehold.benchmarks.startup.PlainApplication;
import io.leasehold.benchmarks.store.RedisStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The cost of an idle Spring Boot application with this library, beside the same one without it: processor time,
 * threads, and connections to Redis. The two take turns, each in a process of its own.
 *
 * @param name the row's name
 * @param title what is measured
 */
public record IdleRow(String name, String title) implements Row {

    @Override
    public void run(Effort effort, Report report) {
        report.paragraph("### " + title + ", idle for " + effort.hold().toSeconds() + " s");
        List<Run> plain = new ArrayList<>();
        List<Run> locking = new ArrayList<>();
        try (RedisStore redis = new RedisStore();
                ApplicationClassPath classPath = new ApplicationClassPath()) {
            var locks = new ApplicationProcess(LockingApplication.class, classPath.withLocks(), redis.address());
            var noLocks = new ApplicationProcess(PlainApplication.class, classPath.withoutLocks(), redis.address());
            for (int i = 1; i <= effort.rounds(); i++) {
                plain.add(Run.of(noLocks, redis, effort));
                locking.add(Run.of(locks, redis, effort));
                report.progress(name + ": pair " + i + " of " + effort.rounds());
            }
        }
        MarkdownTable table = new MarkdownTable(List.of(
                "",
                "CPU ms a minute without locks",
                "with locks",
                "difference of pairs",
                "threads more",
                "connections"));
        for (String phase : List.of(Idle.UNUSED, Idle.USED)) {
            List<Double> before = perMinute(plain, phase, effort);
            List<Double> after = perMinute(locking, phase, effort);
            for (int i = 0; i < before.size(); i++) {
                report.raw(name, "without", i + 1, phase, before.get(i));
                report.raw(name, "with locks", i + 1, phase, after.get(i));
            }
            Run last = locking.get(locking.size() - 1);
            table.add(List.of(
                    phase,
                    Numbers.of(Spread.of(before)),
                    Numbers.of(Spread.of(after)),
                    Numbers.of(Spread.of(IntStream.range(0, before.size())
                            .mapToObj(i -> after.get(i) - before.get(i))
                            .toList())),
                    described(
                            last.in(phase).threads(),
                            plain.get(plain.size() - 1).in(phase).threads()),
                    described(last.connections().getOrDefault(phase, List.of()), List.of())));
        }
        report.paragraph(table);
    }

    private static List<Double> perMinute(List<Run> runs, String phase, Effort effort) {
        return runs.stream()
                .map(run ->
                        run.in(phase).processor() / 1e6 * 60e3 / effort.hold().toMillis())
                .toList();
    }

    /** The names that one list has more than the other, with their numbers. */
    private static String described(List<String> names, List<String> others) {
        Map<String, Long> counts = count(names);
        count(others).forEach((name, count) -> counts.merge(name, -count, Long::sum));
        String text = counts.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getValue() + " `" + entry.getKey() + "`")
                .collect(Collectors.joining(", "));
        return text.isEmpty() ? "none" : text;
    }

    private static Map<String, Long> count(List<String> names) {
        return names.stream().collect(Collectors.groupingBy(Function.identity(), HashMap::new, Collectors.counting()));
    }

    /**
     * One run of an application.
     *
     * @param phases the cost of each phase
     * @param connections what Redis says of its clients in each phase
     */
    private record Run(List<Idle> phases, Map<String, List<String>> connections) {

        static Run of(ApplicationProcess application, RedisStore redis, Effort effort) {
            Map<String, List<String>> connections = new HashMap<>();
            List<String> output = application.run(List.of("--idle=" + effort.hold()), line -> {
                String phase = Idle.begunBy(line);
                if (!phase.isEmpty()) {
                    connections.put(phase, redis.clients());
                }
            });
            List<Idle> phases = Idle.of(output);
            if (phases.size() != 2) {
                throw new IllegalStateException("the application did not stay idle: " + output);
            }
            return new Run(phases, connections);
        }

        Idle in(String phase) {
            return phases.stream()
                    .filter(idle -> idle.phase().equals(phase))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
