package io.leasehold.redlock;

import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases that were granted to this process and not released, so that a node that recovers can get the leases that
 * it missed. The safety of locks does not depend on this record.
 */
final class GrantedLeases {

    private final Map<Token, Holding> byToken = new ConcurrentHashMap<>();

    void add(AcquireCommand command, long firstFence) {
        byToken.put(command.token(), new Holding(command, firstFence));
    }

    void remove(Token token) {
        byToken.remove(token);
    }

    int size() {
        return byToken.size();
    }

    /** Requests a held lease from a node that does not have it. The node counts when it confirms a later renewal. */
    void topUp(RedlockNode node, RenewCommand renewal) {
        Holding holding = byToken.get(renewal.token());
        if (holding == null) {
            return;
        }
        AcquireCommand command = new AcquireCommand(
                renewal.id(), renewal.token(), renewal.ttl(), holding.command().fencingTokens(), false);
        NodeGroup.ask(node, store -> store.vote(command, holding.firstFence())).thenAccept(vote -> {
            if (vote.answer() instanceof Granted granted) {
                align(node, command, granted.firstFence());
            }
        });
    }

    /**
     * Records the agreed fencing tokens on a node that granted a held lease late. If the lease has ended, releases it
     * on the node.
     */
    void align(RedlockNode node, AcquireCommand command, long firstFence) {
        Holding holding = byToken.get(command.token());
        if (holding == null) {
            NodeGroup.ask(node, store -> store.release(new ReleaseCommand(command.id(), command.token())));
        } else if (firstFence != holding.firstFence()) {
            NodeGroup.ask(node, store -> store.recordFencingToken(command, holding.firstFence()));
        }
    }

    private record Holding(AcquireCommand command, long firstFence) {}
}
