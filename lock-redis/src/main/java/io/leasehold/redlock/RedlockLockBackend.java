package io.leasehold.redlock;

import io.leasehold.ForcedRelease;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.QuorumNode;
import io.leasehold.spi.QuorumNode.ServerIdentity;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.support.SafeLogging;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps each lease on a quorum of independent nodes, so that locks survive the loss of a minority of them.
 *
 * <ol>
 *   <li>Acquire sends the command to all nodes at the same time. The lease is granted as soon as a majority of the
 *       <em>configured</em> nodes has granted it, and the answer contains its remaining validity. If the lease is not
 *       granted, it is removed from all nodes. A node that was restarted within the longest ttl has no vote, because it
 *       may have forgotten a lease, unless it keeps all leases across restarts. Two nodes that are the same server are
 *       refused.
 *   <li>The fencing token is the greatest that the quorum assigned, and is recorded on a quorum before it is used. If
 *       the quorum granted the proposed tokens, which is the usual case, no second round trip is necessary.
 *   <li>Renew counts only the nodes that confirm the token. A lease that no quorum has any more is lost immediately.
 *       Nodes that recovered get the leases that they missed.
 *   <li>Release is sent to all nodes, and is retried on nodes that do not answer.
 * </ol>
 *
 * <p>A slow or dead minority causes no delay. There are no wake-ups: a waiting caller retries after a random back-off
 * with a new token, so that the remains of an earlier attempt can neither block nor end a later one.
 *
 * <p>Two concurrent acquisitions must not use the same token. Sequential acquisitions with the same token get the same
 * fencing tokens, as long as the nodes that granted them are up.
 *
 * <p>All processes that use the same nodes must be configured with the same set of nodes and the same longest ttl.
 */
public final class RedlockLockBackend implements LockBackend {

    private static final Logger log = LoggerFactory.getLogger(RedlockLockBackend.class);

    private final NodeGroup nodes;

    private final RedlockResources resources;

    private volatile boolean closed;

    /**
     * Creates a backend that owns the given nodes, and closes them when it is closed.
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

    /** Completes when a majority of the nodes is connected. */
    @Override
    public CompletionStage<Void> connect() {
        return nodes.connect();
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        AcquireCommand once = new AcquireCommand(
                command.id(), command.token(), command.ttl(), command.fencingTokens(), false, command.commandTimeout());
        return unless(
                refusal(command.id(), command.ttl()),
                () -> new RedlockAcquisition(resources, once, !command.queueIfBusy()).begin());
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
        ReleaseCommand permitted = withinMaxTtl(command);
        return unless(
                refusal(permitted.id(), permitted.retainFor()), () -> new RedlockRelease(resources, permitted).begin());
    }

    /** Shortens a minimum hold time that exceeds the longest ttl. A restarted node has no vote only for that long. */
    private ReleaseCommand withinMaxTtl(ReleaseCommand command) {
        Duration longest = nodes.options().maxTtl();
        if (command.retainFor().compareTo(longest) <= 0) {
            return command;
        }
        SafeLogging.log(() -> log.warn(
                "The lock {} stays taken for {} instead of {} after its release. 'lock.redlock.max-ttl' limits the minimum"
                        + " hold time. Raise it for all instances, or lower the minimum hold time.",
                command.id(),
                longest,
                command.retainFor()));
        return new ReleaseCommand(command.id(), command.token(), longest);
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        // connected first, because opening a connection may take longer than the time that a node has for its answer
        return nodes.connect().handle((done, failure) -> nodes).thenCompose(Inspection::of);
    }

    /** Records the name on all nodes. Completes when all have answered; fails if none has recorded it. */
    @Override
    public CompletionStage<Void> introduce(Instance instance) {
        List<CompletableFuture<Boolean>> recorded = nodes.nodes().stream()
                .map(node -> NodeGroup.ask(node, store -> store.introduce(instance))
                        .handle((done, failure) -> failure == null))
                .toList();
        return CompletableFuture.allOf(recorded.toArray(CompletableFuture[]::new))
                .thenAccept(done -> {
                    if (recorded.stream().noneMatch(CompletableFuture::join)) {
                        throw new BackendFailure(Effect.UNKNOWN, "no node has recorded the name", null);
                    }
                });
    }

    @Override
    public CompletionStage<LockListing> list(String namespace, int limit) {
        return CompletableFuture.completedFuture(LockListing.unknown(
                "redlock does not list locks, because a quorum of the nodes would have to agree on each of them"));
    }

    @Override
    public CompletionStage<LockState> describe(LockId id) {
        return unless(closed(), () -> RedlockDescription.of(nodes, id));
    }

    @Override
    public CompletionStage<ForcedRelease.Outcome> revoke(LockId id, long fencingToken) {
        return unless(closed(), () -> RedlockRevocation.of(resources, id, fencingToken));
    }

    @Override
    public void close() {
        closed = true;
        nodes.scheduler().close();
        nodes.reaperScheduler().close();
        RuntimeException failure = null;
        for (RedlockNode node : nodes.nodes()) {
            try {
                node.store().close();
            } catch (RuntimeException ex) {
                failure = ex;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    RedlockResources resources() {
        return resources;
    }

    private static <T> CompletionStage<T> unless(
            @Nullable BackendFailure refusal, Supplier<CompletableFuture<T>> operation) {
        return refusal == null ? operation.get() : CompletableFuture.failedFuture(refusal);
    }

    private @Nullable BackendFailure closed() {
        return closed ? new BackendFailure(Effect.NOT_DONE, "the redlock backend is closed", null) : null;
    }

    private @Nullable BackendFailure refusal(LockId id, Duration ttl) {
        BackendFailure failure = closed();
        if (failure == null && ttl.compareTo(nodes.options().maxTtl()) > 0) {
            return new BackendFailure(
                    Effect.REFUSED,
                    "'ttl' must be at most " + nodes.options().maxTtl() + ", the longest ttl that the nodes are"
                            + " configured for: " + ttl + " (" + id + ")",
                    null);
        }
        return failure;
    }

    /**
     * Checks every node for conditions that make locks less safe. A node that does not answer is a finding, as long as a
     * quorum answers.
     */
    private static final class Inspection {

        private Inspection() {}

        static CompletableFuture<List<SafetyFinding>> of(NodeGroup nodes) {
            List<CompletableFuture<ServerIdentity>> identities = nodes.askAll(QuorumNode::serverIdentity);
            List<CompletableFuture<List<SafetyFinding>>> inspections = nodes.askAll(QuorumNode::inspect);
            List<CompletableFuture<?>> all = new ArrayList<>(identities);
            all.addAll(inspections);
            return nodes.allEnded(all, 2 * nodes.longestNodeTimeout())
                    .thenApply(ended -> findings(nodes, identities, inspections));
        }

        private static void requireQuorum(NodeGroup nodes, List<CompletableFuture<ServerIdentity>> identities) {
            List<CompletableFuture<ServerIdentity>> silent = identities.stream()
                    .filter(CompletableFuture::isCompletedExceptionally)
                    .toList();
            if (nodes.leavesNoQuorum(silent.size())) {
                throw new BackendFailure(
                        Effect.NOT_DONE,
                        silent.size() + " of " + nodes.size() + " nodes do not answer; a quorum is " + nodes.quorum(),
                        silent.get(0).handle((identity, failure) -> failure).join());
            }
        }

        private static List<SafetyFinding> findings(
                NodeGroup nodes,
                List<CompletableFuture<ServerIdentity>> identities,
                List<CompletableFuture<List<SafetyFinding>>> inspections) {
            requireQuorum(nodes, identities);
            List<SafetyFinding> findings = new ArrayList<>();
            Map<String, String> seen = new HashMap<>();
            for (int i = 0; i < nodes.size(); i++) {
                String name = nodes.nodes().get(i).name();
                if (identities.get(i).isCompletedExceptionally()) {
                    findings.add(new SafetyFinding(
                            "node '" + name + "'", "does not answer", "Locks survive it as long as a quorum answers"));
                    continue;
                }
                String sameAs = seen.putIfAbsent(identities.get(i).join().runId(), name);
                if (sameAs != null) {
                    findings.add(new SafetyFinding(
                            "node '" + name + "'",
                            "is the same server as '" + sameAs + "', so nothing is locked",
                            "List independent servers"));
                }
                if (!inspections.get(i).isCompletedExceptionally()) {
                    inspections
                            .get(i)
                            .join()
                            .forEach(finding -> findings.add(new SafetyFinding(
                                    "node '" + name + "', " + finding.subject(),
                                    finding.finding(),
                                    finding.nextStep())));
                }
            }
            return findings;
        }
    }
}
