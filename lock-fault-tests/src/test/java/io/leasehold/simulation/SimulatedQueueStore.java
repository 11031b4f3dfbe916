package io.leasehold.simulation;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.simulation.Plan.FaultPlan;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The queue of keys. It has one connection, whose calls end with an unknown outcome when it breaks. */
final class SimulatedQueueStore implements SimulatedStore {

    private final SimulatedEtcd etcd;

    private final SimulatedNetwork network;

    SimulatedQueueStore(SimulatedEtcd etcd, SimulatedNetwork network) {
        this.etcd = etcd;
        this.network = network;
    }

    @Override
    public LockBackend backend(SimulatedProcess process) {
        return new Backend(process);
    }

    @Override
    public List<SimulatedEtcd> servers() {
        return List.of(etcd);
    }

    @Override
    public List<Leftover> leftovers() {
        return etcd.leftovers();
    }

    @Override
    public void strike(FaultPlan fault, SimulatedServer server) {
        throw new IllegalArgumentException("etcd loses nothing: " + fault);
    }

    private final class Backend implements LockBackend {

        private final SimulatedProcess process;

        private final SimulatedLink link;

        private final List<EtcdWatch> watches = new ArrayList<>();

        private Backend(SimulatedProcess process) {
            this.process = process;
            this.link = new SimulatedLink(process, etcd, network, false);
            link.whenever(() -> {}, this::watchesEnd);
        }

        @Override
        public CompletionStage<Void> connect() {
            return link.connect();
        }

        @Override
        public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
            EtcdWatch watch = command.queueIfBusy() ? new EtcdWatch(link) : null;
            if (watch != null) {
                watches.add(watch);
                watch.turn().whenComplete((nothing, failure) -> watches.remove(watch));
            }
            long sentAt = etcd.simulation().now();
            return link.call(
                    SimulatedEtcd.class,
                    () -> "acquire " + command.id() + " " + command.token(),
                    server -> server.acquire(command, watch, process, sentAt));
        }

        @Override
        public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
            return link.call(SimulatedEtcd.class, () -> "renew " + commands, server -> server.renew(commands));
        }

        @Override
        public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
            return link.call(
                    SimulatedEtcd.class,
                    () -> "release " + command.id() + " " + command.token() + " " + command.retainFor(),
                    server -> server.release(command));
        }

        @Override
        public CompletionStage<LockState> describe(LockId id) {
            return link.call(SimulatedEtcd.class, () -> "describe " + id, server -> server.describe(id));
        }

        @Override
        public CompletionStage<Outcome> revoke(LockId id, long fencingToken) {
            return link.call(
                    SimulatedEtcd.class,
                    () -> "revoke " + id + " " + fencingToken,
                    server -> server.revoke(id, fencingToken));
        }

        @Override
        public void close() {
            link.close();
        }

        /** Ends all watches. A watch that ends without a deletion wakes its waiter as well. */
        private void watchesEnd() {
            for (EtcdWatch watch : List.copyOf(watches)) {
                CompletableFuture<Void> turn = watch.turn();
                turn.complete(null);
            }
        }
    }
}
