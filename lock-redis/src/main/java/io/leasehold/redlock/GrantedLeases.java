package io.leasehold.redlock;

import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this process was granted and has not released, so that a node that came back can be given what it missed. The
 * lock's safety does not depend on it.
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

    /** Asks a node that does not have a held lease to keep it too. It counts when a later renewal finds it there. */
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

    /** Brings a node that granted a held lease late to the agreed fencing tokens; a lease that has ended is removed. */
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
