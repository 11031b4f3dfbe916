package io.leasehold.jdbc.row;

import io.leasehold.jdbc.connection.JdbcExecutor;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.table.BlockedRows;
import io.leasehold.jdbc.table.LeaseOperations;
import io.leasehold.jdbc.table.LeaseRequest;
import io.leasehold.jdbc.table.LeaseRow;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;

/**
 * Acquires row locks.
 *
 * <ol>
 *   <li>The row is locked without waiting. If it is missing, it is first inserted in a transaction of its own.
 *   <li>Then fencing tokens are reserved on another connection, which commits immediately. In the transaction that
 *       holds the lock, they would be rolled back with it and granted again.
 *   <li>An answer on the first connection then shows that the row was locked in the meantime.
 *   <li>If the row of the fencing tokens shows another holder, that holder has lost the lock, since the row could be
 *       locked.
 * </ol>
 */
final class RowAcquisition {

    private static final Duration REMAINING_UNKNOWN = Duration.ofSeconds(1);

    private final RowLockStatements sql;

    private final JdbcExecutor fenceExecutor;

    private final LeaseOperations fences;

    private final BlockedRows blockedFences;

    private final LongSupplier nanoTime;

    private final ExclusionCheck check = new ExclusionCheck();

    RowAcquisition(RowLockStatements sql, JdbcExecutor fenceExecutor, LeaseOperations fences, LongSupplier nanoTime) {
        this.sql = sql;
        this.fenceExecutor = fenceExecutor;
        this.fences = fences;
        this.blockedFences = new BlockedRows(fences);
        this.nanoTime = nanoTime;
    }

    /** Locks the row on a connection, which is then reserved, and adds it to the held rows before answering. */
    AcquireAnswer take(LockConnection session, AcquireCommand command, HeldRows heldRows) throws SQLException {
        check.requireExclusionByKey(session, sql.table());
        LeaseRequest request = LeaseRequest.of(command, false);
        // Read before the row is locked: the ttl counts from then.
        long start = nanoTime.getAsLong();
        try {
            if (!sql.lock(session, request, command.ttl())) {
                return new Busy(remaining(session, request));
            }
            long fence = reserve(command.id(), request);
            requireStillLocked(session, request);
            HeldRow row = new HeldRow(
                    sql, session, nanoTime, fence, start + command.ttl().toNanos());
            heldRows.add(command, row);
            return new Granted(fence);
        } catch (SQLException | RuntimeException ex) {
            // not only the end: the next work on this connection must not end with the idle time of this attempt
            session.cleanUpAfter(ex, () -> sql.unlock(session));
            throw ex;
        }
    }

    /**
     * Fails unless the row was locked when its fencing tokens were reserved. The connection may have ended in between,
     * and another process may hold the row, with lower tokens.
     */
    private void requireStillLocked(LockConnection session, LeaseRequest request) throws SQLException {
        if (!sql.isLockedForAll(session)) {
            throw new BackendFailure(
                    Effect.NOT_DONE, "the row of " + request.name() + " was lost while it was acquired", null);
        }
    }

    private Duration remaining(LockConnection session, LeaseRequest request) throws SQLException {
        return fences.table(session)
                .read(session, request.key())
                .filter(LeaseRow::isHeld)
                .map(LeaseRow::remaining)
                .orElse(REMAINING_UNKNOWN);
    }

    private long reserve(LockId id, LeaseRequest request) {
        try {
            return fenceExecutor
                    .submit(
                            "reserving fencing tokens for " + request.name(),
                            // one thread reserves for all locks, which must not wait for one row again and again
                            blockedFences.guarded(id, session -> reserve(session, request)))
                    .join();
        } catch (CompletionException ex) {
            if (ex.getCause() instanceof BackendFailure failure) {
                throw new BackendFailure(
                        failure.effect() == Effect.UNKNOWN ? Effect.NOT_DONE : failure.effect(),
                        String.valueOf(failure.getMessage()),
                        failure);
            }
            throw ex;
        }
    }

    private long reserve(LockConnection session, LeaseRequest request) throws SQLException {
        LeaseRow row = fences.acquire(session, request);
        while (!row.token().equals(request.token())) {
            fences.table(session).release(session, request.key(), row.token(), Duration.ZERO);
            row = fences.acquire(session, request);
        }
        return row.fence();
    }
}
