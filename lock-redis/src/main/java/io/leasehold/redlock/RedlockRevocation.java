package io.leasehold.redlock;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.spi.QuorumNode;
import io.leasehold.spi.Token;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Takes a lock from its holder on a quorum of the nodes, so that no quorum can renew it.
 *
 * <p>If fewer nodes have done so, the outcome is unknown, and a repetition is harmless. The holder may then still renew
 * its lock on the other nodes. The nodes that were changed let their part of the lease expire, and get it again with
 * one of the next renewals.
 */
final class RedlockRevocation {

    private final NodeGroup nodes;

    private RedlockRevocation(NodeGroup nodes) {
        this.nodes = nodes;
    }

    static CompletableFuture<Outcome> of(RedlockResources resources, LockId id, long fencingToken) {
        NodeGroup nodes = resources.nodes();
        GrantedLeases leases = resources.grantedLeases();
        // read before the question: a lease that is granted later is not the named one
        List<Token> own = leases.tokensOf(id);
        RedlockRevocation revocation = new RedlockRevocation(nodes);
        CompletableFuture<List<Outcome>> answers =
                nodes.answers((QuorumNode node) -> node.revoke(id, fencingToken), revocation::isDecided);
        return answers.thenApply(arrived -> {
            Outcome outcome = revocation.outcomeOf(arrived);
            if (outcome == Outcome.REVOKED) {
                own.forEach(leases::revoke);
            }
            return outcome;
        });
    }

    /** Whether a quorum agrees. A removal by a quorum is a revocation if the lease is still held on another node. */
    private boolean isDecided(List<Outcome> answers) {
        return Stream.of(Outcome.REVOKED, Outcome.FREE, Outcome.OTHER_HOLDER, Outcome.FOREIGN, Outcome.UNSUPPORTED)
                .anyMatch(outcome -> Collections.frequency(answers, outcome) >= nodes.quorum());
    }

    private Outcome outcomeOf(List<Outcome> answers) {
        int revoked = Collections.frequency(answers, Outcome.REVOKED);
        int removed = Collections.frequency(answers, Outcome.REMOVED);
        if (revoked + removed >= nodes.quorum()) {
            return revoked > 0 ? Outcome.REVOKED : Outcome.REMOVED;
        }
        return Stream.of(Outcome.FREE, Outcome.OTHER_HOLDER, Outcome.FOREIGN, Outcome.UNSUPPORTED)
                .filter(outcome -> Collections.frequency(answers, outcome) >= nodes.quorum())
                .findFirst()
                .orElseThrow(() -> new BackendFailure(Effect.UNKNOWN, noQuorum(answers), null));
    }

    private String noQuorum(List<Outcome> answers) {
        long done = answers.stream().filter(Outcome::isDone).count();
        int silent = nodes.size() - answers.size();
        String taken = "the lock was taken from its holder on " + done + " of " + nodes.size() + " nodes";
        return silent > 0
                ? taken + ", and " + silent + " did not answer; a quorum is " + nodes.quorum()
                        + ". Repeat it when more nodes answer"
                : taken + "; a quorum is " + nodes.quorum()
                        + ", and the other nodes have another holder or none, as while the lock changes hands. Repeat it";
    }
}
