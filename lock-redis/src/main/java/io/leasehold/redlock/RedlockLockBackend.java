package io.leasehold.redlock;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each lease on a quorum of independent nodes, so that locks survive the loss of a minority of them.
 *
 * <ol>
 *   <li>Acquire asks all nodes at once and is granted as soon as a majority of the <em>configured</em> nodes has granted;
 *       what is left of the ttl is part of the answer. If it is not granted, it is taken back from all nodes. A node that
 *       was restarted within the longest ttl has no vote, since it may have forgotten a lease, unless it forgets none;
 *       two nodes that turn out to be one server are refused.
 *   <li>The fencing token is the greatest that the quorum minted, and is on record at a quorum before it is used. Where
 *       the quorum granted the tokens that were proposed, which is the rule, that takes no second round trip.
 *   <li>Renew counts only the nodes that confirm the token; a lease that a quorum does not have any more is lost at once.
 *       Nodes that came back are given the leases that they missed.
 *   <li>Release goes to all nodes, and is repeated where there is no answer.
 * </ol>
 *
 * <p>A slow or dead minority costs no time. There are no wake-ups: a waiting caller tries again after a random pause, with a
 * new token, so that what is left of an earlier attempt can neither block nor end a later one.
 *
 * <p>A token must not be asked for twice at the same time; one after the other is answered with the same fencing tokens
 * as long as the nodes that granted them are up.
 * All processes that lock on the same nodes have to be configured with the same nodes and the same longest ttl.
 */
public final class RedlockLockBackend implements LockBackend {

    private final NodeGroup nodes;

    private final RedlockResources resources;

    private volatile boolean closed;

    /**
     * Creates a backend on nodes that it closes when it is closed.
     *
     * @param nodes an odd number of at least three independent servers
     * @param options timeouts
     * @param nanoTime a monotonic clock in nanoseconds, such as {@code System::nanoTime}
     */
    public RedlockLockBackend(List<RedlockNode> nodes, RedlockLockOptions options, LongSupplier nanoTime) {
        this(new NodeGroup(
                nodes,
                options,
                nanoTime,
                Scheduler.daemon("lock-redlock-timer"),
                Scheduler.daemon("lock-redlock-removals")));
    }

    RedlockLockBackend(NodeGroup nodes) {
        this.nodes = nodes;
        this.resources = new RedlockResources(nodes);
    }

    /** Ends when a majority of the nodes is connected. */
    @Override
    public CompletionStage<Void> connect() {
        return nodes.connect();
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        BackendFailure refusal = refusal(command.id(), command.ttl());
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        AcquireCommand once =
                new AcquireCommand(command.id(), command.token(), command.ttl(), command.fencingTokens(), false);
        return new RedlockAcquisition(resources, once).begin();
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        for (RenewCommand command : commands) {
            BackendFailure refusal = refusal(command.id(), command.ttl());
            if (refusal != null) {
                return CompletableFuture.failedFuture(refusal);
            }
        }
        return new RedlockRenewal(resources, commands).begin();
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        BackendFailure refusal = refusal(command.id(), command.retainFor());
        return refusal == null
                ? new RedlockRelease(resources, command).begin()
                : CompletableFuture.failedFuture(refusal);
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        return RedlockInspection.of(nodes);
    }

    @Override
    public void close() {
        closed = true;
        nodes.scheduler().close();
        nodes.reaperScheduler().close();
        nodes.nodes().forEach(node -> node.store().close());
    }

    RedlockResources resources() {
        return resources;
    }

    private @Nullable BackendFailure refusal(LockId id, Duration ttl) {
        if (closed) {
            return new BackendFailure(Effect.NOT_DONE, "the redlock backend is closed", null);
        }
        if (ttl.compareTo(nodes.options().longestTtl()) > 0) {
            return new BackendFailure(
                    Effect.REFUSED,
                    "'ttl' must be at most " + nodes.options().longestTtl() + ", the longest ttl that the nodes are"
                            + " configured for: " + ttl + " (" + id + ")",
                    null);
        }
        return null;
    }
}
