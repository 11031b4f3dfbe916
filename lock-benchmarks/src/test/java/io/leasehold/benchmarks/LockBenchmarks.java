package io.leasehold.benchmarks;

import io.leasehold.benchmarks.report.Machine;
import io.leasehold.benchmarks.report.Report;
import io.leasehold.benchmarks.row.Row;
import io.leasehold.benchmarks.store.RedisStore;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures the rows and prints tables in Markdown. Exits with 1 if a lock of this library was violated or lost, and
 * with 2 if the options are invalid.
 */
public final class LockBenchmarks {

    private LockBenchmarks() {}

    /**
     * Runs the benchmarks.
     *
     * @param arguments see {@link Options#USAGE}; one argument may hold several, separated by blanks
     */
    public static void main(String[] arguments) {
        try {
            System.exit(run(Options.parse(words(arguments))));
        } catch (IllegalArgumentException ex) {
            System.err.println(ex.getMessage());
            System.exit(2);
        }
    }

    private static int run(Options options) {
        List<Row> rows = Rows.all(options.roundTrips()).stream()
                .filter(row -> options.wants(row.name()))
                .toList();
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("no row is called " + options.only());
        }
        if (options.list()) {
            rows.forEach(row -> System.out.println(row.name()));
            return 0;
        }
        try (Report report = Report.open()) {
            report.paragraph(Machine.description() + "; " + redis() + "; "
                    + options.effort().description() + ".");
            for (Row row : rows) {
                row.run(options.effort(), report);
            }
            report.faults().forEach(fault -> report.paragraph("**Failed**: " + fault));
            return report.faults().isEmpty() ? 0 : 1;
        }
    }

    private static String redis() {
        try (RedisStore store = new RedisStore()) {
            return store.version();
        }
    }

    private static List<String> words(String[] arguments) {
        return Stream.of(arguments)
                .flatMap(argument -> Stream.of(argument.split("\\s+")))
                .filter(word -> !word.isEmpty())
                .toList();
    }
}
