package io.leasehold.redlock;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One release, sent to all nodes at the same time.
 *
 * <ol>
 *   <li>The answer is {@code RELEASED} when a quorum of nodes had the lease, because no other caller can then have held
 *       the lock. If a node is unavailable, the next acquisition may still be refused until all other nodes have
 *       answered too. The answer is {@code NOT_OWNER} when so many nodes did not have the lease that no quorum is
 *       possible.
 *   <li>Otherwise the outcome is unknown, after all nodes have answered or after the node timeout,
 *       {@value RedlockLockOptions#LONGEST_DEFAULT_TIMEOUT_MILLIS} ms by default. A retry is harmless.
 *   <li>The release is retried on nodes that did not answer, so that no node blocks the next holder for a whole ttl.
 *       There is no retry if the lease is retained, because it then expires by itself.
 *   <li>The release is also retried on nodes that did not answer the acquisition. They may execute it later (rules.md
 *       R32).
 * </ol>
 */
final class RedlockRelease extends CompletableFuture<ReleaseAnswer> {

    private final RedlockResources resources;

    private final NodeGroup nodes;

    private final ReleaseCommand command;

    private Set<RedlockNode> inDoubt = Set.of();

    private int released;

    private int notOwner;

    private int failed;

    RedlockRelease(RedlockResources resources, ReleaseCommand command) {
        this.resources = resources;
        this.nodes = resources.nodes();
        this.command = command;
    }

    RedlockRelease begin() {
        // removed before the command is sent, because a renewal in progress must not restore the lease on a node
        inDoubt = resources.grantedLeases().end(command.token());
        List<CompletableFuture<ReleaseAnswer>> asked = nodes.askAll(store -> store.release(command));
        for (int i = 0; i < asked.size(); i++) {
            RedlockNode node = nodes.nodes().get(i);
            asked.get(i).whenComplete((answer, failure) -> answered(node, answer, failure));
        }
        nodes.unlessAllEnd(asked, nodes.longestNodeTimeout(), () -> asked.forEach(each -> each.cancel(true)));
        return this;
    }

    private void answered(RedlockNode node, @Nullable ReleaseAnswer answer, @Nullable Throwable failure) {
        ReleaseAnswer decided = null;
        boolean isEnd;
        synchronized (this) {
            released += answer == ReleaseAnswer.RELEASED ? 1 : 0;
            notOwner += answer == ReleaseAnswer.NOT_OWNER ? 1 : 0;
            failed += answer == null ? 1 : 0;
            if (released >= nodes.quorum()) {
                decided = ReleaseAnswer.RELEASED;
            } else if (nodes.leavesNoQuorum(notOwner)) {
                decided = ReleaseAnswer.NOT_OWNER;
            }
            isEnd = released + notOwner + failed == nodes.size();
        }
        // also if the node had the lease: it may have got it by a second vote, and get the first one later
        boolean mayArriveLate = inDoubt.contains(node);
        if (mayArriveLate || answer == null && command.retainFor().isZero()) {
            resources.reaper().remove(node, command, mayArriveLate);
        }
        if (decided != null) {
            complete(decided);
        } else if (isEnd) {
            completeExceptionally(new BackendFailure(
                    Effect.UNKNOWN,
                    "released on " + released + " of " + nodes.size() + " nodes, was not there on " + notOwner + ", no"
                            + " answer of " + failed,
                    failure));
        }
    }
}
