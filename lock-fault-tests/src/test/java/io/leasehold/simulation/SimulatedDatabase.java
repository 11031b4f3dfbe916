package io.leasehold.simulation;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.simulation.SimulatedStore.Leftover;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A database with a table of leases. Each statement is a transaction. Statements of different connections run
 * concurrently, so a statement that its client has given up may run after later statements of the same client.
 */
final class SimulatedDatabase extends SimulatedServer {

    private static final long LOCK_WAIT = 50_000_000;

    private final Map<LockId, Row> rows = new HashMap<>();

    private long rowsLockedUntil;

    SimulatedDatabase(Simulation simulation, double speed) {
        super(simulation, "database", speed);
    }

    /** Simulates a transaction of another application that locks rows. */
    void lockRows(long nanos) {
        note("has locked rows for ", nanos / 1e6, " ms");
        rowsLockedUntil = simulation().now() + nanos;
    }

    /** Executes a statement on a connection of its own, so that other statements do not wait for it. */
    @Override
    <T> void execute(Function<SimulatedServer, T> command, Reply<T> reply) {
        if (machine().isPaused()) {
            machine().afterPause(() -> execute(command, reply));
        } else if (simulation().now() < rowsLockedUntil) {
            wait(command, reply);
        } else {
            reply(command, reply);
        }
    }

    AcquireAnswer acquire(AcquireCommand command, SimulatedProcess process, long sentAt) {
        Row row = rows.computeIfAbsent(command.id(), any -> new Row());
        SimulatedLease held = lease(command.id());
        long end = nanos() + command.ttl().toNanos();
        if (held == null) {
            row.lease = new SimulatedLease(command.token(), process, end, lateness(sentAt));
            row.firstFence = Math.max(row.lastFence + 1, machine().clock().wallMicros());
            row.lastFence = row.firstFence + command.fencingTokens() - 1;
            granted(command.token());
        } else if (held.isHeldBy(command.token())) {
            held.prolong(end);
        } else {
            return new Busy(Duration.ofNanos(held.endsAt() - nanos()));
        }
        return new Granted(row.firstFence);
    }

    List<RenewAnswer> renew(List<RenewCommand> commands) {
        return commands.stream()
                .map(command -> SimulatedLease.renew(lease(command.id()), command, nanos()))
                .toList();
    }

    ReleaseAnswer release(ReleaseCommand command) {
        SimulatedLease lease = lease(command.id());
        if (lease == null || !lease.token().equals(command.token())) {
            return ReleaseAnswer.NOT_OWNER;
        }
        if (command.retainFor().isZero()) {
            rows.get(command.id()).lease = null;
            removed(command.token());
        } else {
            lease.keep(nanos() + command.retainFor().toNanos());
        }
        return ReleaseAnswer.RELEASED;
    }

    LockState describe(LockId id) {
        SimulatedLease lease = lease(id);
        return lease == null ? new LockState.Free() : lease.state(nanos(), OptionalLong.of(rows.get(id).lastFence));
    }

    Outcome revoke(LockId id, long fencingToken) {
        SimulatedLease lease = lease(id);
        if (lease == null) {
            return Outcome.FREE;
        }
        Row row = rows.get(id);
        if (row.lastFence != fencingToken) {
            return Outcome.OTHER_HOLDER;
        }
        if (lease.isKept()) {
            row.lease = null;
            return Outcome.REMOVED;
        }
        lease.revoke();
        revoked(id, lease.token(), fencingToken);
        return Outcome.REVOKED;
    }

    List<Leftover> leftovers() {
        List<Leftover> left = new ArrayList<>();
        for (LockId id : rows.keySet()) {
            SimulatedLease lease = lease(id);
            if (lease != null) {
                left.add(lease.leftover(id, false));
            }
        }
        return left;
    }

    private <T> void wait(Function<SimulatedServer, T> command, Reply<T> reply) {
        if (rowsLockedUntil - simulation().now() < LOCK_WAIT) {
            simulation().at(rowsLockedUntil, () -> execute(command, reply));
        } else {
            BackendFailure failure = new BackendFailure(Effect.NOT_DONE, "lock wait timeout", null);
            simulation().after(LOCK_WAIT, () -> reply.send(null, failure));
        }
    }

    private @Nullable SimulatedLease lease(LockId id) {
        Row row = rows.get(id);
        SimulatedLease lease = row == null ? null : row.lease;
        return lease == null || lease.hasEnded(nanos()) ? null : lease;
    }

    /** A row of the table, which outlives its leases. */
    private static final class Row {

        private @Nullable SimulatedLease lease;

        private long firstFence;

        private long lastFence;
    }
}
