package io.leasehold.redlock;

import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.spi.QuorumNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * The state of a lock on which a quorum of the nodes agrees. A lock that no quorum has is free, as long as the nodes
 * that did not answer cannot complete a quorum.
 */
final class RedlockDescription {

    private final NodeGroup nodes;

    RedlockDescription(NodeGroup nodes) {
        this.nodes = nodes;
    }

    static CompletableFuture<LockState> of(NodeGroup nodes, LockId id) {
        RedlockDescription description = new RedlockDescription(nodes);
        return nodes.answers((QuorumNode node) -> node.describe(id), description::isCertain)
                .thenApply(description::stateOf);
    }

    /** Whether a quorum has answered, and the other nodes can add nothing: not even the token that a quorum has. */
    boolean isCertain(List<LockState> answers) {
        if (answers.size() < nodes.quorum()) {
            return false;
        }
        LockState state = stateOf(answers);
        return state instanceof LockState.Free
                || state instanceof Held held && held.fencingToken().isPresent() && held.remaining() != null;
    }

    LockState stateOf(List<LockState> answers) {
        if (answers.size() < nodes.quorum()) {
            throw new BackendFailure(
                    Effect.UNKNOWN, "only " + answers.size() + " of " + nodes.size() + " nodes answered", null);
        }
        Map<List<Object>, List<Held>> byHolder = answers.stream()
                .filter(Held.class::isInstance)
                .map(Held.class::cast)
                .collect(Collectors.groupingBy(
                        held -> List.of(held.kind(), Objects.requireNonNullElse(held.holder(), ""))));
        for (List<Held> same : byHolder.values()) {
            if (same.size() >= nodes.quorum()) {
                return agreed(same);
            }
        }
        boolean cannotTell = answers.stream().anyMatch(LockState.Unknown.class::isInstance);
        return cannotTell || mayHaveQuorum(answers) ? new LockState.Unknown(reason(answers)) : new LockState.Free();
    }

    /**
     * Whether one holder may have a quorum, although some nodes did not answer, have a forced release, or do not know the
     * name of the holder yet.
     */
    private boolean mayHaveQuorum(List<LockState> answers) {
        int missing = nodes.size() - answers.size();
        Map<String, Long> counts = answers.stream()
                .filter(Held.class::isInstance)
                .map(held -> Objects.requireNonNullElse(((Held) held).holder(), ""))
                .collect(Collectors.groupingBy(holder -> holder, Collectors.counting()));
        long unnamed = counts.getOrDefault("", 0L);
        return counts.entrySet().stream()
                .mapToLong(holder -> holder.getKey().isEmpty() ? unnamed : holder.getValue() + unnamed)
                .anyMatch(count -> count + missing >= nodes.quorum());
    }

    private String reason(List<LockState> answers) {
        return answers.size() < nodes.size()
                ? "too few of the " + nodes.size() + " nodes answered to tell the holder"
                : "the " + nodes.size() + " nodes do not agree on the state of the lease";
    }

    /** The lease lasts as long as a quorum has it. */
    private Held agreed(List<Held> same) {
        Held any = same.get(0);
        List<Duration> remaining = new ArrayList<>();
        for (Held held : same) {
            if (held.remaining() != null) {
                remaining.add(held.remaining());
            }
        }
        remaining.sort(Collections.reverseOrder());
        return new Held(
                any.kind(),
                any.holder(),
                any.since(),
                remaining.size() < nodes.quorum() ? null : remaining.get(nodes.quorum() - 1),
                fencingToken(same),
                OptionalInt.empty());
    }

    /** The token that a quorum has. There is none while an acquisition records it, or while a forced release arrives. */
    private OptionalLong fencingToken(List<Held> same) {
        long[] tokens = same.stream()
                .map(Held::fencingToken)
                .flatMapToLong(OptionalLong::stream)
                .toArray();
        return Arrays.stream(tokens)
                .filter(token ->
                        Arrays.stream(tokens).filter(each -> each == token).count() >= nodes.quorum())
                .findFirst();
    }
}
