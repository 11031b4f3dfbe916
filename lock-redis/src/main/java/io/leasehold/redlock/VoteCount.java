package io.leasehold.redlock;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.QuorumNode.ServerIdentity;
import io.leasehold.spi.QuorumNode.Vote;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the votes of one acquisition. A grant is a vote only if its node remembers all leases that it granted within
 * the longest ttl, and if no other node is the same server. Not thread-safe.
 */
final class VoteCount {

    private final NodeGroup nodes;

    private final List<Long> votes = new ArrayList<>();

    private final List<Duration> foreign = new ArrayList<>();

    private final Map<String, String> seen = new HashMap<>();

    private final Map<Integer, String> reasons = new TreeMap<>();

    private final Map<Effect, Integer> failures = new HashMap<>();

    private final boolean[] answered;

    private int pending;

    private int withoutVote;

    private boolean sameServer;

    private boolean isRepeated;

    VoteCount(NodeGroup nodes) {
        this.nodes = nodes;
        this.answered = new boolean[nodes.size()];
        this.pending = nodes.size();
    }

    void count(int node, @Nullable Vote vote, @Nullable Throwable failure) {
        take(node);
        if (vote != null) {
            count(node, vote);
        } else {
            Effect effect = failure == null ? Effect.UNKNOWN : NodeGroup.effectOf(failure);
            failures.merge(effect, 1, Integer::sum);
            reasons.put(
                    node,
                    failure == null
                            ? "gave no answer"
                            : "failed: " + NodeGroup.causeOf(failure).getMessage());
        }
    }

    private void count(int node, Vote vote) {
        ServerIdentity identity = vote.identity();
        String sameAs =
                seen.putIfAbsent(identity.runId(), nodes.nodes().get(node).name());
        if (sameAs != null) {
            sameServer = true;
            withoutVote++;
            reasons.put(node, "is the same server as '" + sameAs + "'");
        } else if (vote.answer() instanceof Busy busy) {
            foreign.add(busy.remaining());
        } else if (isTooYoung(identity.uptime())) {
            withoutVote++;
            reasons.put(
                    node,
                    "has no vote: it remembers only the last " + identity.uptime() + " of "
                            + nodes.options().maxTtl());
        } else {
            isRepeated |= vote.wasThere();
            votes.add(((Granted) vote.answer()).firstFence());
        }
    }

    /** Closes the count. Nodes that have not answered count as failed. */
    void close() {
        for (int node = 0; node < answered.length; node++) {
            if (!answered[node]) {
                take(node);
                failures.merge(Effect.UNKNOWN, 1, Integer::sum);
                reasons.put(node, "did not answer in time");
            }
        }
    }

    /** Whether a quorum has granted. If the lease existed before, also waits for fencing tokens that a quorum knows. */
    boolean isWon() {
        boolean waitsForTokens = isRepeated && pending > 0 && !agreesOnFence();
        return votes.size() >= nodes.quorum() && !sameServer && !waitsForTokens;
    }

    boolean isLost() {
        return sameServer || votes.size() + pending < nodes.quorum();
    }

    /**
     * Whether each of several callers may have got a part of the nodes: this caller was refused, and a node that has not
     * answered may have granted it the lock.
     */
    boolean maySplit() {
        return votes.isEmpty() && pending > 0 && !foreign.isEmpty() && !sameServer;
    }

    /** Returns the first fencing token that a quorum already has, otherwise the greatest of all. */
    long fence() {
        return votes.stream()
                .filter(this::isKnownToQuorum)
                .findFirst()
                .orElseGet(() -> votes.stream().max(Comparator.naturalOrder()).orElseThrow());
    }

    /** Whether a quorum already has the same fencing tokens. */
    boolean agreesOnFence() {
        return votes.stream().anyMatch(this::isKnownToQuorum);
    }

    private boolean isKnownToQuorum(Long fence) {
        return Collections.frequency(votes, fence) >= nodes.quorum();
    }

    /**
     * Returns the answer that another caller holds the lock, or {@code null} if too few nodes answered for it. A holder has a
     * vote of each node that answers, as a rule. If this caller has one, or may still get one, other callers may have the
     * rest in parts.
     */
    @Nullable
    AcquireAnswer busy() {
        if (sameServer || foreign.isEmpty() || foreign.size() + votes.size() + withoutVote < nodes.quorum()) {
            return null;
        }
        int mustEnd = Math.max(1, nodes.quorum() - (nodes.size() - foreign.size()));
        Duration remaining =
                foreign.stream().sorted().skip(mustEnd - 1L).findFirst().orElseThrow();
        return votes.isEmpty() && !maySplit() ? new Busy(remaining) : Busy.undecided(remaining);
    }

    /** Returns the failure of an acquisition that is neither granted nor busy. */
    BackendFailure failure() {
        StringBuilder message = new StringBuilder(
                "granted by " + votes.size() + " of " + nodes.size() + " nodes, " + nodes.quorum() + " are needed");
        reasons.forEach((node, reason) -> message.append("; '")
                .append(nodes.nodes().get(node).name())
                .append("' ")
                .append(reason));
        return new BackendFailure(effect(), message.toString(), null);
    }

    private Effect effect() {
        if (pending > 0 || failures.containsKey(Effect.UNKNOWN)) {
            return Effect.UNKNOWN;
        }
        boolean isHopeless = sameServer || nodes.leavesNoQuorum(failures.getOrDefault(Effect.REFUSED, 0));
        return isHopeless ? Effect.REFUSED : Effect.NOT_DONE;
    }

    private void take(int node) {
        answered[node] = true;
        pending--;
    }

    private boolean isTooYoung(@Nullable Duration memory) {
        return memory != null && memory.compareTo(nodes.options().maxTtl()) < 0;
    }
}
