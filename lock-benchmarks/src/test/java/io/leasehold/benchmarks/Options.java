package io.leasehold.benchmarks;

import io.leasehold.benchmarks.row.Effort;
import io.leasehold.benchmarks.store.Distance;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The command line of the benchmarks.
 *
 * @param only the rows to measure: names, or beginnings of names that end with a star; all rows if empty
 * @param effort rounds, times and numbers for each row
 * @param roundTrips the distances of the stores, measured in turn, in the rows of callers in a loop
 * @param list whether only to print the names of the rows
 */
record Options(List<String> only, Effort effort, List<Duration> roundTrips, boolean list) {

    static final String USAGE = """
            --only=row,row*   measures only these rows
            --list            prints the names of the rows
            --rounds=n        number of rounds per contestant
            --servers=n       number of servers, measured in turn, in the rows of callers in a loop
            --seconds=s       length of each round
            --warm-up=s       shortest warm-up of each contestant before its first round
            --longest-warm-up=s
                              longest warm-up, if the JVM still compiles much
            --hold=s          how long locks are held in the rows about held locks, and the idle time in the row idle
            --keys=n          number of keys in the rows about many keys
            --round-trip=ms,ms
                              distance of the store in the rows of callers in a loop; each distance in turn
            --quick           fewer and shorter rounds; options that are given take precedence
            """;

    private static final Duration WARM_UP = Duration.ofSeconds(5);

    private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(60);

    private static final Effort FULL =
            new Effort(3, 1, WARM_UP, LONGEST_WARM_UP, Duration.ofMillis(1000), Duration.ofSeconds(60), 1_000_000);

    private static final Effort QUICK =
            new Effort(3, 1, WARM_UP, LONGEST_WARM_UP, Duration.ofMillis(500), Duration.ofSeconds(30), 200_000);

    static Options parse(List<String> arguments) {
        Effort effort = arguments.contains("--quick") ? QUICK : FULL;
        List<String> only = List.of();
        List<Duration> roundTrips = List.of(Duration.ZERO);
        boolean list = false;
        for (String argument : arguments) {
            String value = argument.substring(argument.indexOf('=') + 1);
            if (argument.startsWith("--only=")) {
                only = List.of(value.split(","));
            } else if (argument.startsWith("--rounds=")) {
                effort = effort.withRounds(Integer.parseInt(value));
            } else if (argument.startsWith("--servers=")) {
                effort = effort.withServers(Integer.parseInt(value));
            } else if (argument.startsWith("--seconds=")) {
                effort = effort.withWindow(seconds(value));
            } else if (argument.startsWith("--warm-up=")) {
                effort = effort.withWarmUp(seconds(value));
            } else if (argument.startsWith("--longest-warm-up=")) {
                effort = effort.withLongestWarmUp(seconds(value));
            } else if (argument.startsWith("--hold=")) {
                effort = effort.withHold(seconds(value));
            } else if (argument.startsWith("--keys=")) {
                effort = effort.withKeys(Integer.parseInt(value));
            } else if (argument.startsWith("--round-trip=")) {
                roundTrips = Stream.of(value.split(",")).map(Options::millis).toList();
            } else if (argument.equals("--list")) {
                list = true;
            } else if (!argument.equals("--quick")) {
                throw new IllegalArgumentException("'" + argument + "' is not an option; the options are\n" + USAGE);
            }
        }
        return new Options(only, effort, roundTrips, list);
    }

    boolean wants(String row) {
        return only.isEmpty() || only.stream().anyMatch(wanted -> matches(wanted, row));
    }

    private static boolean matches(String wanted, String rowAtADistance) {
        String row = Distance.withoutDistance(rowAtADistance);
        return wanted.endsWith("*") ? row.startsWith(wanted.substring(0, wanted.length() - 1)) : row.equals(wanted);
    }

    private static Duration millis(String value) {
        return Duration.ofNanos(Math.round(Double.parseDouble(value) * 1e6));
    }

    private static Duration seconds(String value) {
        return Duration.ofMillis(Math.round(Double.parseDouble(value) * 1000));
    }
}
