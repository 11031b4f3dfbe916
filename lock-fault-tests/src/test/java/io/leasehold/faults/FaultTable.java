package io.leasehold.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The table of results, in Markdown, in {@code target}. A row replaces an older one of the same name. */
final class FaultTable {

    private static final Path FILE = Path.of("target", "fault-table.md");

    /** For a run without faults. */
    static final String NO_TIMES = " | | |";

    private static final List<String> HEAD = List.of(
            "| backend | fault cases | grants | locks lost | violations | slowest recovery | told of a loss | free after an outage | free after a shutdown | seed |",
            "|---|---|---|---|---|---|---|---|---|---|");

    private FaultTable() {}

    static void write(String backend, Findings findings, long seed) {
        write(
                backend,
                findings.cases(),
                findings.history().size(),
                findings.losses(),
                findings.violations().size(),
                "%d ms | %d ms before the next grant | %d ms | %d ms"
                        .formatted(
                                findings.slowestRecovery().toMillis(),
                                -findings.latestTold(),
                                findings.freeAfterOutage().toMillis(),
                                findings.freeAfterShutdown().toMillis()),
                seed);
    }

    static synchronized void write(
            String name, int cases, int grants, int losses, int violations, String times, long seed) {
        String start = "| " + name + " |";
        try {
            List<String> lines = new ArrayList<>(Files.exists(FILE) ? Files.readAllLines(FILE) : HEAD);
            lines.removeIf(line -> line.startsWith(start));
            lines.add("%s %d | %d | %d | %d | %s | %d |"
                    .formatted(start, cases, grants, losses, violations, times, seed));
            Files.createDirectories(FILE.getParent());
            Files.write(FILE, lines);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
