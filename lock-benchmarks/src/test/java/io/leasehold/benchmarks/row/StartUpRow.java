package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.measure.Spread;
import io.leasehold.benchmarks.report.MarkdownTable;
import io.leasehold.benchmarks.report.Numbers;
import io.leasehold.benchmarks.report.Report;
import io.leasehold.benchmarks.startup.ApplicationClassPath;
import io.leasehold.benchmarks.startup.ApplicationProcess;
import io.leasehold.benchmarks.startup.LockingApplication;
import io.leasehold.benchmarks.startup.PlainApplication;
import io.leasehold.benchmarks.startup.StartUp;
import io.leasehold.benchmarks.store.RedisStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The start of a Spring Boot application with this library and of the same one without it, each in a process of its
 * own. The two take turns; a difference is that of two neighbours, so that both have met the same load of the machine.
 *
 * @param name the row's name
 * @param title what is measured
 */
public record StartUpRow(String name, String title) implements Row {

    private static final int LEAST_PAIRS = 10;

    @Override
    public void run(Effort effort, Report report) {
        report.paragraph("### " + title);
        List<StartUp> plain = new ArrayList<>();
        List<StartUp> locking = new ArrayList<>();
        try (RedisStore redis = new RedisStore();
                ApplicationClassPath classPath = new ApplicationClassPath()) {
            var locks = new ApplicationProcess(LockingApplication.class, classPath.withLocks(), redis.address());
            var noLocks = new ApplicationProcess(PlainApplication.class, classPath.withoutLocks(), redis.address());
            int pairs = Math.max(LEAST_PAIRS, effort.rounds());
            // the first pair reads the files of both into the memory of the machine
            for (int i = 0; i <= pairs; i++) {
                boolean locksFirst = i % 2 == 0;
                StartUp first = start(locksFirst ? locks : noLocks);
                StartUp second = start(locksFirst ? noLocks : locks);
                if (i > 0) {
                    locking.add(locksFirst ? first : second);
                    plain.add(locksFirst ? second : first);
                    report.raw(
                            name, "with locks", i, "processor_ns", last(locking).processor());
                    report.raw(name, "without", i, "processor_ns", last(plain).processor());
                }
                report.progress(name + ": pair " + i + " of " + pairs);
            }
        }
        report.paragraph(table(plain, locking));
    }

    private static MarkdownTable table(List<StartUp> plain, List<StartUp> locking) {
        MarkdownTable table = new MarkdownTable(
                List.of("ms", "without locks", "with locks", "difference of pairs", "ratio of pairs"));
        add(table, "processor time", plain, locking, StartUp::processor);
        add(table, "elapsed time", plain, locking, StartUp::elapsed);
        return table;
    }

    private static void add(
            MarkdownTable table,
            String figure,
            List<StartUp> plain,
            List<StartUp> locking,
            ToLongFunction<StartUp> nanos) {
        List<Double> before = millis(plain, nanos);
        List<Double> after = millis(locking, nanos);
        table.add(List.of(
                figure,
                Numbers.of(Spread.of(before)),
                Numbers.of(Spread.of(after)),
                Numbers.of(Spread.of(pairs(before.size())
                        .map(i -> after.get(i) - before.get(i))
                        .toList())),
                Numbers.of(Spread.of(pairs(before.size())
                        .map(i -> after.get(i) / before.get(i))
                        .toList()))));
    }

    private static Stream<Integer> pairs(int count) {
        return IntStream.range(0, count).boxed();
    }

    private static List<Double> millis(List<StartUp> starts, ToLongFunction<StartUp> nanos) {
        return starts.stream().map(start -> nanos.applyAsLong(start) / 1e6).toList();
    }

    private static StartUp last(List<StartUp> starts) {
        return starts.get(starts.size() - 1);
    }

    private static StartUp start(ApplicationProcess application) {
        return StartUp.of(application.run(List.of(), line -> {}));
    }
}
