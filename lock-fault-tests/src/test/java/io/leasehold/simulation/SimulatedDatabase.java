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
import io.leasehold.spi.Token;
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
        boolean ours = row.isOwnedBy(command.token()) && row.endsAt - nanos() > 0;
        if (!ours && row.token != null && row.endsAt - nanos() > 0) {
            return new Busy(Duration.ofNanos(row.endsAt - nanos()));
        }
        row.endsAt = Math.max(ours ? row.endsAt : 0, nanos() + command.ttl().toNanos());
        if (!ours) {
            row.token = command.token();
            row.process = process;
            row.kept = false;
            row.revoked = false;
            row.lateness = lateness(sentAt);
            row.firstFence = Math.max(row.lastFence + 1, machine().clock().wallMicros());
            row.lastFence = row.firstFence + command.fencingTokens() - 1;
            granted(command.token());
        }
        return new Granted(row.firstFence);
    }

    List<RenewAnswer> renew(List<RenewCommand> commands) {
        List<RenewAnswer> answers = new ArrayList<>();
        for (RenewCommand command : commands) {
            Row row = row(command.id(), command.token());
            if (row != null && row.isOwnedBy(command.token())) {
                row.endsAt = Math.max(row.endsAt, nanos() + command.ttl().toNanos());
                answers.add(RenewAnswer.RENEWED);
            } else {
                answers.add(row != null && row.revoked ? RenewAnswer.REVOKED : RenewAnswer.NOT_OWNER);
            }
        }
        return answers;
    }

    ReleaseAnswer release(ReleaseCommand command) {
        Row row = row(command.id(), command.token());
        if (row == null) {
            return ReleaseAnswer.NOT_OWNER;
        }
        if (command.retainFor().isZero()) {
            row.token = null;
            removed(command.token());
        } else {
            long end = nanos() + command.retainFor().toNanos();
            row.endsAt = row.kept ? Math.min(row.endsAt, end) : end;
            row.kept = true;
            row.revoked = false;
        }
        return ReleaseAnswer.RELEASED;
    }

    LockState describe(LockId id) {
        Row row = rows.get(id);
        return row == null || row.token == null || row.endsAt - nanos() <= 0
                ? new LockState.Free()
                : SimulatedState.of(
                        row.token, row.kept, row.revoked, row.endsAt - nanos(), OptionalLong.of(row.lastFence));
    }

    Outcome revoke(LockId id, long fencingToken) {
        Row row = rows.get(id);
        if (row == null || row.token == null || row.endsAt - nanos() <= 0) {
            return Outcome.FREE;
        }
        if (row.lastFence != fencingToken) {
            return Outcome.OTHER_HOLDER;
        }
        if (row.kept) {
            row.token = null;
            return Outcome.REMOVED;
        }
        row.revoked = true;
        revoked(id, row.token, fencingToken);
        return Outcome.REVOKED;
    }

    List<Leftover> leftovers() {
        List<Leftover> left = new ArrayList<>();
        rows.forEach((id, row) -> {
            if (row.token != null && row.endsAt - nanos() > 0) {
                left.add(new Leftover(id, row.token, row.process, false, row.kept, row.revoked, row.lateness));
            }
        });
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

    private @Nullable Row row(LockId id, Token token) {
        Row row = rows.get(id);
        return row != null && token.equals(row.token) && row.endsAt - nanos() > 0 ? row : null;
    }

    /** A row of the table. */
    private static final class Row {

        private @Nullable Token token;

        private @Nullable SimulatedProcess process;

        private long endsAt;

        private long firstFence;

        private long lastFence;

        private boolean kept;

        private boolean revoked;

        private long lateness;

        /** Whether the token may renew the lease. */
        private boolean isOwnedBy(Token token) {
            return !kept && !revoked && token.equals(this.token);
        }
    }
}
