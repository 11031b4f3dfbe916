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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The table. Each process has a few connections, each for one statement at a time, and statements wait for a free
 * connection. If a caller gives up a statement in transit, the connection is closed, but the statement may still run.
 */
final class SimulatedTableStore implements SimulatedStore {

    private final SimulatedDatabase database;

    private final SimulatedNetwork network;

    private final int connections;

    SimulatedTableStore(SimulatedDatabase database, SimulatedNetwork network, int connections) {
        this.database = database;
        this.network = network;
        this.connections = connections;
    }

    @Override
    public LockBackend backend(SimulatedProcess process) {
        return new Backend(process);
    }

    @Override
    public List<SimulatedDatabase> servers() {
        return List.of(database);
    }

    @Override
    public List<Leftover> leftovers() {
        return database.leftovers();
    }

    @Override
    public void strike(FaultPlan fault, SimulatedServer server) {
        database.lockRows(fault.length());
    }

    private final class Backend implements LockBackend {

        private final SimulatedProcess process;

        private final List<SimulatedLink> all;

        private final Deque<SimulatedLink> idle = new ArrayDeque<>();

        private final Deque<Statement<?>> queue = new ArrayDeque<>();

        /** Renewals have a connection of their own. */
        private final SimulatedLink renewals;

        private Backend(SimulatedProcess process) {
            this.process = process;
            this.renewals = new SimulatedLink(process, database, network, false);
            for (int i = 0; i < connections; i++) {
                idle.add(new SimulatedLink(process, database, network, false));
            }
            this.all = List.copyOf(idle);
        }

        @Override
        public CompletionStage<Void> connect() {
            return all.get(0).connect();
        }

        @Override
        public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
            long sentAt = database.simulation().now();
            return run(
                    () -> "acquire " + command.id() + " " + command.token(),
                    table -> table.acquire(command, process, sentAt));
        }

        @Override
        public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
            return renewals.call(SimulatedDatabase.class, () -> "renew " + commands, table -> table.renew(commands));
        }

        @Override
        public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
            return run(
                    () -> "release " + command.id() + " " + command.token() + " " + command.retainFor(),
                    table -> table.release(command));
        }

        @Override
        public CompletionStage<LockState> describe(LockId id) {
            return run(() -> "describe " + id, table -> table.describe(id));
        }

        @Override
        public CompletionStage<Outcome> revoke(LockId id, long fencingToken) {
            return run(() -> "revoke " + id + " " + fencingToken, table -> table.revoke(id, fencingToken));
        }

        @Override
        public void close() {
            renewals.close();
            all.forEach(SimulatedLink::close);
        }

        private <T> CompletableFuture<T> run(Supplier<String> what, Function<SimulatedDatabase, T> sql) {
            Statement<T> statement = new Statement<>(what, sql, new CompletableFuture<>());
            queue.add(statement);
            next();
            return statement.answer;
        }

        private void next() {
            queue.removeIf(statement -> statement.answer.isDone());
            while (!queue.isEmpty() && !idle.isEmpty()) {
                send(queue.remove(), idle.remove());
            }
        }

        private <T> void send(Statement<T> statement, SimulatedLink connection) {
            CompletableFuture<T> reply = connection.call(SimulatedDatabase.class, statement.what, statement.sql);
            reply.whenComplete((answer, failure) -> {
                idle.add(connection);
                if (failure == null) {
                    statement.answer.complete(answer);
                } else {
                    statement.answer.completeExceptionally(failure);
                }
                next();
            });
            statement.answer.whenComplete((answer, failure) -> {
                if (!reply.isDone()) {
                    connection.abort();
                    reply.cancel(false);
                }
            });
        }
    }

    private record Statement<T>(
            Supplier<String> what, Function<SimulatedDatabase, T> sql, CompletableFuture<T> answer) {}
}
