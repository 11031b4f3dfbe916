package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.load.Callers;
import io.leasehold.benchmarks.measure.Spread;
import io.leasehold.benchmarks.measure.WaitHistogram;
import io.leasehold.benchmarks.report.MarkdownTable;
import io.leasehold.benchmarks.report.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The rounds of a {@link LoopRow}, one line for each contestant. */
final class LoopTable {

    private final LoopShape shape;

    private final Map<Contestant, List<LoopRound>> rounds = new LinkedHashMap<>();

    private final Reference reference;

    private LoopTable(LoopShape shape, List<LoopRound> all) {
        this.shape = shape;
        all.forEach(round -> rounds.computeIfAbsent(round.contestant(), unused -> new ArrayList<>())
                .add(round));
        this.reference = shape.contended() ? Reference.bestPeer(all) : Reference.rawClient(all);
    }

    static MarkdownTable of(LoopShape shape, List<LoopRound> rounds) {
        return new LoopTable(shape, rounds).table();
    }

    /** The median rate of each contestant, by its label. */
    static Map<String, Double> rates(List<LoopRound> all) {
        Map<String, List<LoopRound>> rounds = new LinkedHashMap<>();
        all.forEach(round -> rounds.computeIfAbsent(round.contestant().label(), unused -> new ArrayList<>())
                .add(round));
        Map<String, Double> rates = new LinkedHashMap<>();
        rounds.forEach((label, own) ->
                rates.put(label, spread(own, LoopRound::perSecond).median()));
        return rates;
    }

    private MarkdownTable table() {
        List<String> headers =
                new ArrayList<>(List.of("", "locks/s", "x " + reference.name(), "wait ms p50 / p99 / max"));
        if (shape.contended()) {
            headers.addAll(List.of("luckiest / unluckiest", "gap µs p50"));
        }
        headers.addAll(
                List.of("round trips", "commands sent", "in scripts", "CPU µs JVM", "CPU µs store", "bytes allocated"));
        if (shape.contended()) {
            headers.add("mutual exclusion");
        }
        MarkdownTable table = new MarkdownTable(headers);
        rounds.forEach((contestant, own) -> table.add(line(contestant, own)));
        return table;
    }

    private List<String> line(Contestant contestant, List<LoopRound> own) {
        List<String> cells = new ArrayList<>();
        int errors = own.stream().mapToInt(round -> round.outcome().errors()).sum();
        cells.add(errors == 0 ? contestant.title() : contestant.title() + ", " + errors + " errors");
        cells.add(Numbers.of(spread(own, LoopRound::perSecond)));
        cells.add(Numbers.of(spread(own, reference::ratio).median()));
        cells.add(waits(own, round -> round.outcome().waits()));
        if (shape.contended()) {
            cells.add(Numbers.of(spread(own, round -> round.outcome().luck()).median()));
            WaitHistogram gaps = together(own, round -> round.outcome().gaps());
            cells.add(Numbers.of(gaps.quantile(0.5) / 1e3));
        }
        cells.add(median(own, LoopRound::roundTrips));
        cells.add(median(own, LoopRound::commandsSent));
        cells.add(median(own, LoopRound::commandsScripted));
        cells.add(median(own, LoopRound::cpuMicros));
        cells.add(median(own, LoopRound::storeCpuMicros));
        cells.add(shape.callers() == Callers.VIRTUAL ? "-" : median(own, LoopRound::bytes));
        if (shape.contended()) {
            cells.add(soundness(own));
        }
        return cells;
    }

    private static String soundness(List<LoopRound> own) {
        long lost = own.stream().mapToLong(LoopRound::lost).sum();
        return lost == 0 ? "kept" : "**violated**, " + lost + " times";
    }

    private static String median(List<LoopRound> own, ToDoubleFunction<LoopRound> figure) {
        return Numbers.of(spread(own, figure).median());
    }

    static String waits(List<LoopRound> own, Function<LoopRound, WaitHistogram> part) {
        WaitHistogram waits = together(own, part);
        return Numbers.millis(waits.quantile(0.5)) + " / " + Numbers.millis(waits.quantile(0.99)) + " / "
                + Numbers.millis(waits.max());
    }

    static Spread spread(List<LoopRound> own, ToDoubleFunction<LoopRound> figure) {
        return Spread.of(own.stream().map(figure::applyAsDouble).toList());
    }

    private static WaitHistogram together(List<LoopRound> own, Function<LoopRound, WaitHistogram> part) {
        WaitHistogram all = new WaitHistogram();
        own.forEach(round -> all.add(part.apply(round)));
        return all;
    }
}
