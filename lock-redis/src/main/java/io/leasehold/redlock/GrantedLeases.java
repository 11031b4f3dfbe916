package io.leasehold.redlock;

import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases that were granted to this process and not released, so that a node that recovers can get the leases that
 * it missed, and loses those that it gets after their end. The safety of locks does not depend on this record.
 */
final class GrantedLeases {

    private final NodeReaper reaper;

    private final Map<Token, Holding> byToken = new ConcurrentHashMap<>();

    GrantedLeases(NodeReaper reaper) {
        this.reaper = reaper;
    }

    void add(AcquireCommand command, long firstFence) {
        byToken.put(command.token(), new Holding(command, firstFence, new HashSet<>(), false));
    }

    /**
     * Ends a lease.
     *
     * @return the nodes that did not answer a vote for it, and may still execute it
     */
    Set<RedlockNode> end(Token token) {
        Holding holding = byToken.remove(token);
        return holding == null ? Set.of() : holding.inDoubt();
    }

    /** Ends a lease that no quorum has any more. */
    void lose(LockId id, Token token) {
        end(token).forEach(node -> reaper.remove(node, new ReleaseCommand(id, token), true));
    }

    /**
     * Ends a lease that was taken from its holder. It is not removed from any node, because its remaining time is for the
     * work of its holder, and no node gets it any more. Nodes in doubt are kept for the release by the holder.
     */
    void revoke(Token token) {
        byToken.computeIfPresent(token, (same, held) -> held.inDoubt().isEmpty() ? null : held.revoke());
    }

    /** The tokens of this process's leases of a lock. There are several while one ends and the next begins. */
    List<Token> tokensOf(LockId id) {
        return byToken.values().stream()
                .map(Holding::command)
                .filter(command -> command.id().equals(id))
                .map(AcquireCommand::token)
                .toList();
    }

    int size() {
        return byToken.size();
    }

    /** Requests a held lease from a node that does not have it. The node counts when it confirms a later renewal. */
    void topUp(RedlockNode node, RenewCommand renewal) {
        Holding holding = byToken.get(renewal.token());
        if (holding == null || holding.revoked()) {
            return;
        }
        AcquireCommand command = new AcquireCommand(
                renewal.id(), renewal.token(), renewal.ttl(), holding.command().fencingTokens(), false);
        NodeGroup.ask(node, store -> store.vote(command, holding.firstFence())).whenComplete((vote, failure) -> {
            if (failure != null && NodeGroup.effectOf(failure) == Effect.UNKNOWN) {
                doubt(node, command);
            } else if (failure == null && vote.answer() instanceof Granted granted) {
                align(node, command, granted.firstFence());
            }
        });
    }

    /** Records that a node may execute a vote for a lease later, and must lose the lease then if it has ended. */
    void doubt(RedlockNode node, AcquireCommand command) {
        Holding holding = byToken.computeIfPresent(command.token(), (token, held) -> {
            held.inDoubt().add(node);
            return held;
        });
        if (holding == null) {
            reaper.remove(node, new ReleaseCommand(command.id(), command.token()), true);
        }
    }

    /**
     * Records the agreed fencing tokens on a node that granted a held lease late. If the lease has ended or was revoked,
     * removes it from the node.
     */
    void align(RedlockNode node, AcquireCommand command, long firstFence) {
        Holding holding = byToken.get(command.token());
        if (holding == null || holding.revoked()) {
            reaper.remove(node, new ReleaseCommand(command.id(), command.token()), false);
        } else if (firstFence != holding.firstFence()) {
            NodeGroup.ask(node, store -> store.recordFencingToken(command, holding.firstFence()));
        }
    }

    /**
     * A lease.
     *
     * @param inDoubt changed only while the map is updated, and read after the removal from it
     */
    private record Holding(AcquireCommand command, long firstFence, Set<RedlockNode> inDoubt, boolean revoked) {

        Holding revoke() {
            return new Holding(command, firstFence, inDoubt, true);
        }
    }
}
