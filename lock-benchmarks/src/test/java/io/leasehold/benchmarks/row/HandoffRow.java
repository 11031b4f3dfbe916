package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.LocalHandoffs;
import io.leasehold.benchmarks.load.Callers;
import io.leasehold.benchmarks.load.Keys;
import io.leasehold.benchmarks.report.MarkdownTable;
import io.leasehold.benchmarks.report.Numbers;
import io.leasehold.benchmarks.report.Report;
import io.leasehold.benchmarks.store.RedisStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * One lock between many callers in one process and few callers in another. Shows the gain of local handoffs for the
 * many, and the wait times of the few.
 *
 * @param name the row's name
 * @param section the duration of the section
 */
public record HandoffRow(String name, Duration section) implements Row {

    private static final int CROWD = 16;

    private static final int FEW = 2;

    @Override
    public void run(Effort effort, Report report) {
        report.paragraph(
                "### max-local-handoffs: one lock, %d threads of one process and %d of another, section of %d ms"
                        .formatted(CROWD, FEW, section.toMillis()));
        LoopShape shape = new LoopShape(List.of(CROWD, FEW), Callers.PLATFORM, Keys.ONE, section);
        List<LocalHandoffs> choices =
                Stream.of(0, 1, 4, 16, 64, 255).map(LocalHandoffs::new).toList();
        try (RedisStore store = new RedisStore();
                LoopRounds rounds = new LoopRounds(name, shape, choices, store, effort, report)) {
            rounds.run(1);
            Map<Contestant, List<LoopRound>> all = new LinkedHashMap<>();
            rounds.done()
                    .forEach(round -> all.computeIfAbsent(round.contestant(), unused -> new ArrayList<>())
                            .add(round));
            report.paragraph(table(all));
        }
    }

    private static MarkdownTable table(Map<Contestant, List<LoopRound>> all) {
        MarkdownTable table = new MarkdownTable(List.of(
                "max-local-handoffs",
                "locks/s",
                "of which the few",
                "wait ms of the crowd p50 / p99 / max",
                "wait ms of the few p50 / p99 / max",
                "commands sent"));
        all.forEach((contestant, own) -> table.add(List.of(
                contestant.title(),
                Numbers.of(LoopTable.spread(own, LoopRound::perSecond)),
                median(
                        own,
                        round -> round.parts().get(1).inWindow()
                                / (round.window().toMillis() / 1e3)),
                LoopTable.waits(own, round -> round.parts().get(0).waits()),
                LoopTable.waits(own, round -> round.parts().get(1).waits()),
                median(own, LoopRound::commandsSent))));
        return table;
    }

    private static String median(List<LoopRound> own, ToDoubleFunction<LoopRound> figure) {
        return Numbers.of(LoopTable.spread(own, figure).median());
    }
}
