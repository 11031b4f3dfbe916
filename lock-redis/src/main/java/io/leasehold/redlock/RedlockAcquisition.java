package io.leasehold.redlock;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.QuorumNode.Vote;
import io.leasehold.support.LeaseValidity;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition from a quorum.
 *
 * <ol>
 *   <li>All nodes are asked at once, each for the same fencing tokens if it can grant them. It goes on as soon as a
 *       quorum has granted the lease, or no quorum can any more, and at the latest after the node timeout.
 *   <li>Unless a quorum has the same fencing tokens already, the greatest of them is recorded on a quorum. So every later
 *       quorum has a node that knows it, and mints greater ones, whichever nodes are down.
 *   <li>It is granted if a third of the ttl or more is left, counted from before the nodes were asked, and less what the
 *       clocks may differ.
 *   <li>Otherwise the token is taken back from every node that may have it or get it, also from those that failed or
 *       were silent, until that is sure. A node that said that nothing was done, or that another caller holds the lock,
 *       has nothing to take back.
 *   <li>A node that grants late, when a quorum has granted already, keeps the lease: it counts from the next renewal on.
 * </ol>
 */
final class RedlockAcquisition extends CompletableFuture<AcquireAnswer> {

    private static final int LEAST_PART_OF_TTL = 3;

    private final RedlockResources resources;

    private final NodeGroup nodes;

    private final AcquireCommand command;

    private final long sentAt;

    private final VoteCount votes;

    private final NodeState[] states;

    private volatile List<CompletableFuture<Vote>> asked = List.of();

    private boolean counted;

    private boolean givenUp;

    RedlockAcquisition(RedlockResources resources, AcquireCommand command) {
        this.resources = resources;
        this.nodes = resources.nodes();
        this.command = command;
        // Read before any node is asked: the validity of the lease counts from here.
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
        Runnable timeout = nodes.afterNodeTimeout(command.ttl(), this::timeUp);
        CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).whenComplete((all, failure) -> timeout.run());
        return this;
    }

    /** The caller does not want the answer any more: takes everything back. */
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
        boolean isLate;
        boolean tooLate;
        long now = nodes.nanoTime().getAsLong();
        if (vote != null) {
            resources.fenceEstimator().observeClock(node, vote.clockMicros(), now);
        }
        synchronized (this) {
            states[node] = NodeState.of(vote, failure);
            tooLate = givenUp;
            isLate = counted;
            if (!counted) {
                votes.count(node, vote, failure);
                counted = votes.isWon() || votes.isLost();
                decides = counted;
            }
        }
        if (tooLate) {
            takeBack(node, states[node]);
        } else if (decides) {
            resources.fenceEstimator().observeRoundTrip(now - sentAt);
            conclude();
        } else if (isLate && vote != null && vote.answer() instanceof Granted granted) {
            alignLate(node, granted);
        }
    }

    /** Takes back what is not sent yet; a node that had not answered is then one in doubt. */
    private void timeUp() {
        boolean decides;
        synchronized (this) {
            decides = !counted;
            counted = true;
            if (decides) {
                votes.close();
            }
        }
        if (decides) {
            conclude();
        }
        asked.forEach(each -> each.cancel(true));
    }

    private void conclude() {
        if (votes.isWon()) {
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
        // Added before the answer: a release that follows the answer removes it again.
        resources.grantedLeases().add(command, firstFence);
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
        // Removed first: a node that grants late then finds no lease here, and is asked to release it.
        resources.grantedLeases().remove(command.token());
        for (int node = 0; node < known.length; node++) {
            takeBack(node, known[node]);
        }
    }

    private void takeBack(int node, NodeState state) {
        if (state == NodeState.GRANTED || state == NodeState.DOUBTFUL) {
            boolean mayArriveLate = state == NodeState.DOUBTFUL;
            resources.reaper().remove(nodes.nodes().get(node), command.id(), command.token(), mayArriveLate);
        }
    }

    /** What a node has of an acquisition. */
    private enum NodeState {

        /** It has not answered. */
        PENDING,

        /** It has the token. */
        GRANTED,

        /** It has nothing for certain: another caller has the lock there, or nothing was done. */
        NOTHING,

        /** What it has, or will have, is unknown. */
        DOUBTFUL;

        static NodeState of(@Nullable Vote vote, @Nullable Throwable failure) {
            if (vote != null) {
                return vote.answer() instanceof Granted ? GRANTED : NOTHING;
            }
            return failure == null || NodeGroup.effectOf(failure) == Effect.UNKNOWN ? DOUBTFUL : NOTHING;
        }
    }
}
