package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.contestant.Role;
import java.util.List;

/**
 * The reference rate of a table: the raw client or the best peer in the same round. Other rates are multiples of it.
 */
final class Reference {

    private final List<LoopRound> rounds;

    private final Role role;

    private Reference(List<LoopRound> rounds, Role role) {
        this.rounds = rounds;
        this.role = role;
    }

    static Reference rawClient(List<LoopRound> rounds) {
        return new Reference(rounds, Role.RAW);
    }

    static Reference bestPeer(List<LoopRound> rounds) {
        return new Reference(rounds, Role.PEER);
    }

    String name() {
        return role == Role.RAW ? "raw" : "best peer";
    }

    double ratio(LoopRound round) {
        return round.perSecond()
                / rounds.stream()
                        .filter(other -> other.number() == round.number())
                        .filter(other -> other.contestant().role() == role)
                        .mapToDouble(LoopRound::perSecond)
                        .max()
                        .orElse(Double.NaN);
    }
}
