package io.leasehold.redlock;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.QuorumNode.Vote;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.support.LeaseValidity;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition from a quorum.
 *
 * <ol>
 *   <li>The command is sent to all nodes at the same time, with the same proposed fencing tokens. The votes are
 *       evaluated as soon as a quorum has granted the lease or no quorum is possible any more, and at the latest after
 *       the node timeout. The last attempt of a caller that no node has granted the lease yet waits a few round trips
 *       longer: if a node grants it, other callers may have a part of the nodes as well, and all would give up.
 *   <li>Unless a quorum already has the same fencing tokens, the greatest of them is recorded on a quorum. Every later
 *       quorum therefore contains a node that knows it and assigns greater ones, regardless of which nodes are down.
 *   <li>The lease is granted if at least a third of the ttl is left, counted from before the command was sent, and
 *       reduced by the allowance for clock drift.
 *   <li>Otherwise the token is removed from every node that may have it or may still get it, including nodes that
 *       failed or did not answer, until the removal is certain. Nothing is removed from a node that reported that it
 *       did nothing, or that another caller holds the lock.
 *   <li>A node that grants late, after a quorum has granted, keeps the lease. The node counts from the next renewal on.
 *       If the lease has ended by then, it is removed from the node.
 * </ol>
 */
final class RedlockAcquisition extends CompletableFuture<AcquireAnswer> {

    private static final int LEAST_PART_OF_TTL = 3;

    private static final long LEAST_EXTRA_WAIT = TimeUnit.MILLISECONDS.toNanos(5);

    private final RedlockResources resources;

    private final NodeGroup nodes;

    private final AcquireCommand command;

    private final boolean isLastAttempt;

    private final long sentAt;

    private final VoteCount votes;

    private final NodeState[] states;

    private volatile List<CompletableFuture<Vote>> asked = List.of();

    private boolean counted;

    private boolean won;

    private boolean givenUp;

    /**
     * Prepares an acquisition.
     *
     * @param isLastAttempt whether the caller gives up if the lock is busy
     */
    RedlockAcquisition(RedlockResources resources, AcquireCommand command, boolean isLastAttempt) {
        this.resources = resources;
        this.isLastAttempt = isLastAttempt;
        this.nodes = resources.nodes();
        this.command = command;
        // read before the command is sent: the validity of the lease counts from here
        this.sentAt = nodes.nanoTime().getAsLong();
        this.votes = new VoteCount(nodes);
        this.states = new NodeState[nodes.size()];
        Arrays.fill(states, NodeState.PENDING);
    }

    RedlockAcquisition begin() {
        long leastFence = resources.fenceEstimator().next(sentAt);
        asked = nodes.askAll(store -> store.vote(command, leastFence));
        for (int i = 0; i < asked.size(); i++) {
            int node = i;
            asked.get(i).whenComplete((vote, failure) -> answered(node, vote, failure));
        }
        nodes.unlessAllEnd(asked, nodes.nodeTimeout(command.ttl()), this::timeUp);
        return this;
    }

    /** Cancels the acquisition for its caller, and removes the token from the nodes. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            takeBack();
        }
        return cancelled;
    }

    private void answered(int node, @Nullable Vote vote, @Nullable Throwable failure) {
        boolean decides = false;
        boolean waits = false;
        boolean isLate;
        boolean tooLate;
        boolean inDoubt;
        long now = nodes.nanoTime().getAsLong();
        if (vote != null) {
            resources.fenceEstimator().observeClock(node, vote.clockMicros(), now);
        }
        synchronized (this) {
            states[node] = NodeState.of(vote, failure);
            tooLate = givenUp;
            isLate = counted;
            inDoubt = won && states[node] == NodeState.DOUBTFUL;
            if (!counted) {
                votes.count(node, vote, failure);
                waits = votes.isLost() && isLastAttempt && votes.maySplit();
                decides = votes.isWon() || votes.isLost() && !waits;
                if (decides) {
                    decide();
                }
            }
        }
        if (waits) {
            nodes.unlessAllEnd(asked, extraWait(now - sentAt), this::endCount);
        } else if (tooLate) {
            takeBack(node, states[node]);
        } else if (decides) {
            resources.fenceEstimator().observeRoundTrip(now - sentAt);
            conclude();
        } else if (isLate && vote != null && vote.answer() instanceof Granted granted) {
            alignLate(node, granted);
        } else if (inDoubt) {
            resources.grantedLeases().doubt(nodes.nodes().get(node), command);
        }
    }

    /** How much longer to wait for the other nodes: a few round trips, and for at most half of what the caller waits. */
    private long extraWait(long elapsed) {
        long most = command.commandTimeout().toNanos() / 2 - elapsed;
        return Math.max(0, Math.min(most, Math.max(LEAST_EXTRA_WAIT, 3 * elapsed)));
    }

    /** Records the lease if a quorum has granted it, before a node that answers later asks whether it is held. */
    private void decide() {
        counted = true;
        won = votes.isWon();
        if (won) {
            resources.grantedLeases().add(command, votes.fence());
            for (int node = 0; node < states.length; node++) {
                if (states[node] == NodeState.DOUBTFUL) {
                    resources.grantedLeases().doubt(nodes.nodes().get(node), command);
                }
            }
        }
    }

    /** Ends the wait. Nodes without an answer are in doubt, and commands that were not sent yet are cancelled. */
    private void timeUp() {
        endCount();
        asked.forEach(each -> each.cancel(true));
    }

    private void endCount() {
        boolean decides;
        synchronized (this) {
            decides = !counted;
            if (decides) {
                votes.close();
                decide();
            }
        }
        if (decides) {
            conclude();
        }
    }

    private void conclude() {
        if (won) {
            agreeOnFence(votes.fence());
            return;
        }
        takeBack();
        AcquireAnswer busy = votes.busy();
        if (busy != null) {
            complete(busy);
        } else {
            completeExceptionally(votes.failure());
        }
    }

    private void agreeOnFence(long firstFence) {
        if (votes.agreesOnFence()) {
            grant(firstFence);
            return;
        }
        FenceAgreement.begin(nodes, command, firstFence).thenAccept(recorded -> {
            if (recorded) {
                grant(firstFence);
            } else {
                giveUp("granted, but a quorum did not take its fencing tokens in time");
            }
        });
    }

    private void grant(long firstFence) {
        Duration ttl = command.ttl();
        Duration usable = ttl.minusNanos(LeaseValidity.allowance(ttl.toNanos()));
        Duration left = usable.minusNanos(nodes.nanoTime().getAsLong() - sentAt);
        if (left.compareTo(ttl.dividedBy(LEAST_PART_OF_TTL)) < 0) {
            giveUp("granted, but only " + left + " of " + ttl + " are left");
        } else if (!complete(new Granted(firstFence, usable))) {
            takeBack();
        }
    }

    private void giveUp(String reason) {
        takeBack();
        completeExceptionally(new BackendFailure(Effect.UNKNOWN, reason, null));
    }

    private void alignLate(int node, Granted granted) {
        if (isDone()) {
            resources.grantedLeases().align(nodes.nodes().get(node), command, granted.firstFence());
        }
    }

    private void takeBack() {
        NodeState[] known;
        synchronized (this) {
            if (givenUp) {
                return;
            }
            givenUp = true;
            counted = true;
            known = states.clone();
        }
        // ended first: a late grant then finds no lease here and is removed from its node
        resources.grantedLeases().end(command.token());
        for (int node = 0; node < known.length; node++) {
            takeBack(node, known[node]);
        }
    }

    private void takeBack(int node, NodeState state) {
        if (state == NodeState.GRANTED || state == NodeState.DOUBTFUL) {
            ReleaseCommand removal = new ReleaseCommand(command.id(), command.token());
            resources.reaper().remove(nodes.nodes().get(node), removal, state == NodeState.DOUBTFUL);
        }
    }

    /** The state of an acquisition on one node. */
    private enum NodeState {

        /** The node has not answered. */
        PENDING,

        /** The node has the token. */
        GRANTED,

        /**
         * The node certainly does not have the token, because another caller holds the lock there or because nothing
         * was done.
         */
        NOTHING,

        /** It is unknown whether the node has the token or will get it. */
        DOUBTFUL;

        static NodeState of(@Nullable Vote vote, @Nullable Throwable failure) {
            if (vote != null) {
                return vote.answer() instanceof Granted ? GRANTED : NOTHING;
            }
            return failure == null || NodeGroup.effectOf(failure) == Effect.UNKNOWN ? DOUBTFUL : NOTHING;
        }
    }

    /**
     * Records fencing tokens on the nodes. Completes with true as soon as a quorum has recorded them, and with false if
     * no quorum can.
     */
    private static final class FenceAgreement extends CompletableFuture<Boolean> {

        private final NodeGroup nodes;

        private int recorded;

        private int failed;

        private FenceAgreement(NodeGroup nodes) {
            this.nodes = nodes;
        }

        static FenceAgreement begin(NodeGroup nodes, AcquireCommand command, long firstFence) {
            FenceAgreement agreement = new FenceAgreement(nodes);
            List<CompletableFuture<Boolean>> asked =
                    nodes.askAll(store -> store.recordFencingToken(command, firstFence));
            for (CompletableFuture<Boolean> each : asked) {
                each.whenComplete((there, failure) -> agreement.answered(Boolean.TRUE.equals(there)));
            }
            nodes.unlessAllEnd(asked, nodes.nodeTimeout(command.ttl()), () -> asked.forEach(each -> each.cancel(true)));
            return agreement;
        }

        private void answered(boolean there) {
            boolean enough;
            boolean tooFew;
            synchronized (this) {
                recorded += there ? 1 : 0;
                failed += there ? 0 : 1;
                enough = recorded >= nodes.quorum();
                tooFew = nodes.leavesNoQuorum(failed);
            }
            if (enough || tooFew) {
                complete(enough);
            }
        }
    }
}
