package io.leasehold.simulation;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.redlock.RedlockLockOptions;
import io.leasehold.redlock.RedlockNode;
import io.leasehold.redlock.SimulatedRedlock;
import io.leasehold.simulation.Plan.FaultPlan;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.QuorumNode;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Voting nodes under the real Redlock backend. */
final class SimulatedQuorumStore implements SimulatedStore {

    private final List<SimulatedNode> nodes;

    private final SimulatedNetwork network;

    private final Duration maxTtl;

    SimulatedQuorumStore(List<SimulatedNode> nodes, SimulatedNetwork network, Duration maxTtl) {
        this.nodes = nodes;
        this.network = network;
        this.maxTtl = maxTtl;
    }

    @Override
    public LockBackend backend(SimulatedProcess process) {
        List<RedlockNode> clients = new ArrayList<>();
        for (SimulatedNode node : nodes) {
            clients.add(new RedlockNode(node.toString(), new NodeClient(process, node)));
        }
        return SimulatedRedlock.create(
                clients,
                new RedlockLockOptions(null, maxTtl),
                process.clock(),
                new SimulatedScheduler(process, "redlock-timer"),
                new SimulatedScheduler(process, "redlock-removals"));
    }

    @Override
    public List<SimulatedNode> servers() {
        return nodes;
    }

    /** The entries that a quorum of nodes has. Fewer entries block no lock and expire. */
    @Override
    public List<Leftover> leftovers() {
        List<Leftover> all = new ArrayList<>();
        nodes.forEach(node -> all.addAll(node.leftovers()));
        List<Leftover> ofQuorum = new ArrayList<>();
        for (Leftover left : all) {
            List<Leftover> same = all.stream()
                    .filter(other -> other.token().equals(left.token()))
                    .toList();
            // an entry that a node keeps for its whole ttl blocks nothing if the others are kept for the minimum hold
            // time
            if (same.size() > nodes.size() / 2
                    && (left.keptOnPurpose() || same.stream().noneMatch(Leftover::keptOnPurpose))) {
                ofQuorum.add(left);
            }
        }
        return ofQuorum;
    }

    @Override
    public void strike(FaultPlan fault, SimulatedServer server) {
        network.breakConnections(server);
        nodes.get(nodes.indexOf(server)).restart();
    }

    private final class NodeClient implements QuorumNode {

        private final SimulatedProcess process;

        private final SimulatedLink link;

        private NodeClient(SimulatedProcess process, SimulatedNode node) {
            this.process = process;
            this.link = new SimulatedLink(process, node, network, true);
        }

        @Override
        public CompletionStage<Vote> vote(AcquireCommand command, long leastFence) {
            long sentAt = process.simulation().now();
            return link.call(
                    SimulatedNode.class,
                    () -> "vote " + command.id() + " " + command.token(),
                    node -> node.vote(command, leastFence, process, sentAt));
        }

        @Override
        public CompletionStage<Boolean> recordFencingToken(AcquireCommand command, long firstFence) {
            return link.call(
                    SimulatedNode.class,
                    () -> "settle " + command.id() + " " + command.token() + " " + firstFence,
                    node -> node.recordFencingToken(command, firstFence));
        }

        @Override
        public CompletionStage<ServerIdentity> serverIdentity() {
            return link.call(SimulatedNode.class, () -> "standing", SimulatedNode::serverIdentity);
        }

        @Override
        public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
            return vote(command, 0).thenApply(Vote::answer);
        }

        @Override
        public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
            return link.call(SimulatedNode.class, () -> "renew " + commands, node -> node.renew(commands));
        }

        @Override
        public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
            return link.call(
                    SimulatedNode.class,
                    () -> "release " + command.id() + " " + command.token() + " " + command.retainFor(),
                    node -> node.release(command));
        }

        @Override
        public CompletionStage<LockState> describe(LockId id) {
            return link.call(SimulatedNode.class, () -> "describe " + id, node -> node.describe(id));
        }

        @Override
        public CompletionStage<Outcome> revoke(LockId id, long fencingToken) {
            return link.call(
                    SimulatedNode.class,
                    () -> "revoke " + id + " " + fencingToken,
                    node -> node.revoke(id, fencingToken));
        }

        @Override
        public void close() {
            link.close();
        }
    }
}
