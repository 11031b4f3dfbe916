package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.load.Callers;
import io.leasehold.benchmarks.report.Report;
import io.leasehold.benchmarks.store.Distance;
import io.leasehold.benchmarks.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Callers that acquire and release locks as fast as they can.
 *
 * @param name the row's name
 * @param title the title of the table
 * @param shape the callers and their keys
 * @param store starts the store
 * @param contestants the contestants to compare
 * @param note the contestants that are left out, and the reasons; may be empty
 */
public record LoopRow(
        String name,
        String title,
        LoopShape shape,
        Supplier<? extends Store> store,
        List<? extends Contestant> contestants,
        String note)
        implements Row {

    @Override
    public void run(Effort effort, Report report) {
        report.paragraph("### " + title);
        if (shape.callers() == Callers.VIRTUAL && !Callers.virtualExist()) {
            report.paragraph("Not measured: Java " + Runtime.version().feature() + " has no virtual threads.");
            return;
        }
        List<LoopRound> done = new ArrayList<>();
        Duration roundTrip = Duration.ZERO;
        Set<String> versions = new LinkedHashSet<>();
        Set<String> notes = new LinkedHashSet<>();
        for (int number = 1; number <= effort.servers(); number++) {
            try (Store server = store.get();
                    LoopRounds rounds = new LoopRounds(name, shape, contestants, server, effort, report)) {
                rounds.run(number);
                versions.add(server.version());
                roundTrip = server.roundTrip();
                done.addAll(rounds.done());
                notes.addAll(rounds.leftOut());
            }
        }
        versions.forEach(report::paragraph);
        report.paragraph(LoopTable.of(shape, done));
        String row = Distance.withoutDistance(name);
        Duration distance = roundTrip;
        LoopTable.rates(done).forEach((contestant, rate) -> report.rate(row, contestant, distance, rate));
        notes.forEach(report::paragraph);
        if (!note.isEmpty()) {
            report.paragraph(note);
        }
    }
}
