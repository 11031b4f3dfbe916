package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.contestant.Role;
import java.util.List;
import java.util.function.Predicate;

/** What others are multiples of: the raw client in the same round, or else the best peer in that round. */
final class Reference {

    private final List<LoopRound> rounds;

    private final boolean raw;

    private Reference(List<LoopRound> rounds, boolean raw) {
        this.rounds = rounds;
        this.raw = raw;
    }

    static Reference of(List<LoopRound> rounds) {
        return new Reference(rounds, rounds.stream().anyMatch(has(Role.RAW)));
    }

    String name() {
        return raw ? "raw" : "best peer";
    }

    double ratio(LoopRound round) {
        return round.perSecond()
                / rounds.stream()
                        .filter(other -> other.number() == round.number())
                        .filter(has(raw ? Role.RAW : Role.PEER))
                        .mapToDouble(LoopRound::perSecond)
                        .max()
                        .orElse(Double.NaN);
    }

    private static Predicate<LoopRound> has(Role role) {
        return round -> round.contestant().role() == role;
    }
}
