package io.leasehold.redlock;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.spi.QuorumNode;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The connection to a node, with faults for each kind of command. */
final class FaultyNode implements QuorumNode {

    static final Duration LATE = Duration.ofMillis(700);

    static final Duration SLOW = Duration.ofMillis(10);

    private final MemoryNode node;

    private final VirtualTimer timer;

    Fault votes = Fault.NONE;

    Fault settlements = Fault.NONE;

    Fault renewals = Fault.NONE;

    Fault releases = Fault.NONE;

    int answeredReleases;

    /** Whether all leases were taken from their holders. */
    boolean revoked;

    /** Whether the node supports forced releases. */
    boolean revokes;

    boolean failsToClose;

    private volatile boolean closed;

    FaultyNode(MemoryNode node, VirtualTimer timer) {
        this.node = node;
        this.timer = timer;
    }

    MemoryNode node() {
        return node;
    }

    void all(Fault fault) {
        votes = fault;
        settlements = fault;
        renewals = fault;
        releases = fault;
    }

    @Override
    public CompletionStage<Vote> vote(AcquireCommand command, long leastFence) {
        return send(votes, () -> node.vote(command, leastFence));
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        return send(votes, () -> node.acquire(command));
    }

    @Override
    public CompletionStage<Boolean> recordFencingToken(AcquireCommand command, long firstFence) {
        return send(settlements, () -> node.recordFencingToken(command, firstFence));
    }

    @Override
    public CompletionStage<ServerIdentity> serverIdentity() {
        return send(votes, node::serverIdentity);
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return revoked
                ? CompletableFuture.completedFuture(Collections.nCopies(commands.size(), RenewAnswer.REVOKED))
                : send(renewals, () -> node.renew(commands));
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        answeredReleases += releases == Fault.NONE ? 1 : 0;
        return send(releases, () -> node.release(command));
    }

    @Override
    public CompletionStage<Outcome> revoke(LockId id, long fencingToken) {
        revoked = revokes;
        return CompletableFuture.completedFuture(revokes ? Outcome.REVOKED : Outcome.UNSUPPORTED);
    }

    @Override
    public void close() {
        closed = true;
        if (failsToClose) {
            throw new IllegalStateException("cannot be closed");
        }
    }

    private <T> CompletionStage<T> send(Fault fault, Supplier<CompletionStage<T>> command) {
        if (closed) {
            return CompletableFuture.failedFuture(new BackendFailure(Effect.NOT_DONE, "closed", null));
        }
        CompletableFuture<T> reply = new CompletableFuture<>();
        switch (fault) {
            case NONE -> {
                return command.get();
            }
            case REFUSE -> reply.completeExceptionally(new BackendFailure(Effect.NOT_DONE, "refused", null));
            case LOSE_REPLY -> {
                command.get();
                reply.completeExceptionally(new IllegalStateException("connection reset"));
            }
            case LATE -> timer.schedule(() -> command.get().thenAccept(reply::complete), LATE.toNanos());
            case SLOW -> timer.schedule(() -> command.get().thenAccept(reply::complete), SLOW.toNanos());
            case LATE_AFTER_RESET -> {
                timer.schedule(command::get, LATE.toNanos());
                reply.completeExceptionally(new IllegalStateException("connection reset"));
            }
            case LOSE_REQUEST -> {}
        }
        return reply;
    }
}
