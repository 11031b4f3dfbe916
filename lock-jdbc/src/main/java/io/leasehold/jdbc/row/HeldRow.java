package io.leasehold.jdbc.row;

import io.leasehold.jdbc.connection.ConnectionAbort;
import io.leasehold.jdbc.connection.IdleTransactionLimit;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.SqlWork;
import io.leasehold.spi.RenewAnswer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A row that this process has locked, and its connection.
 *
 * <p>The holder relies on the row until its deadline at the latest, and is notified of a loss by the next answer to a
 * renewal. The connection of a lost row is therefore not closed before the deadline: another process could then lock
 * the row while the holder does not know of the loss. For the same reason, an answer is awaited until the deadline.
 * Both end early if the holder releases the row.
 */
final class HeldRow {

    private static final long LATE_ANSWER_MILLIS = 200;

    private final RowLockStatements sql;

    private final LockConnection session;

    private final LongSupplier nanoTime;

    private final long fence;

    private final ReentrantLock connectionInUse = new ReentrantLock();

    private final AtomicBoolean ended = new AtomicBoolean();

    private CompletableFuture<RenewAnswer> renewals = CompletableFuture.completedFuture(RenewAnswer.RENEWED);

    private volatile long deadline;

    private volatile boolean lost;

    /** Whether the holder has released the row, which is kept for its minimum hold time. */
    private volatile boolean kept;

    HeldRow(RowLockStatements sql, LockConnection session, LongSupplier nanoTime, long fence, long deadline) {
        this.sql = sql;
        this.session = session;
        this.nanoTime = nanoTime;
        this.fence = fence;
        this.deadline = deadline;
        session.reserve();
    }

    long fence() {
        return fence;
    }

    /** How long the row may still be relied on, in nanoseconds; zero or less if no longer. */
    long nanosToDeadline() {
        return deadline - nanoTime.getAsLong();
    }

    /**
     * Renews the row on a thread of an executor, after the renewals that were requested before. A row that hangs
     * therefore takes one thread, for any number of renewals. Fails after an unexpected exception.
     */
    synchronized CompletableFuture<RenewAnswer> renew(Duration ttl, Executor threads) {
        renewals = renewals.handleAsync((answer, failure) -> renew(ttl), threads);
        // A future of its own: the next renewal must not begin when the caller completes this one after a timeout.
        return renewals.copy();
    }

    /**
     * Renews the row for at least a ttl from now if its connection answers; unknown while another call on the
     * connection hangs.
     */
    RenewAnswer renew(Duration ttl) {
        if (!tryLockConnection()) {
            return RenewAnswer.UNKNOWN;
        }
        try {
            // Read before the statements are sent: the new deadline counts from then.
            long now = nanoTime.getAsLong();
            long present = deadline;
            if (isOver() || kept) {
                return RenewAnswer.NOT_OWNER;
            }
            session.waitForAnswers(Duration.ofNanos(present - now));
            long wanted = now + ttl.toNanos();
            if (wanted - present > 0) {
                IdleTransactionLimit.set(session, ttl);
            }
            if (!sql.isLockedForAll(session)) {
                lost = true;
                return RenewAnswer.NOT_OWNER;
            }
            deadline = wanted - present > 0 ? wanted : present;
            // end() does not wait for long and may have aborted the connection meanwhile.
            return ended.get() ? RenewAnswer.NOT_OWNER : RenewAnswer.RENEWED;
        } catch (SQLException ex) {
            lost = true;
            return RenewAnswer.NOT_OWNER;
        } finally {
            connectionInUse.unlock();
        }
    }

    /**
     * Keeps the row until a time and no longer, after the renewals that were requested before; {@code false} if it is
     * over then. A renewal that hangs takes no thread for this.
     *
     * @param until by the clock of this row; may have passed once the renewals have ended
     */
    synchronized CompletableFuture<Boolean> keep(long until, Executor threads) {
        CompletableFuture<Boolean> kept = renewals.handleAsync((answer, failure) -> keep(until), threads);
        renewals = kept.thenApply(done -> RenewAnswer.NOT_OWNER);
        return kept;
    }

    private boolean keep(long until) {
        if (!isOver() && lockForLastStatements()) {
            try {
                kept = true;
                IdleTransactionLimit.set(session, Duration.ofNanos(until - nanoTime.getAsLong()));
                deadline = until;
                return true;
            } catch (Throwable ex) {
                lost = true;
            } finally {
                connectionInUse.unlock();
            }
        }
        end();
        return false;
    }

    /** Releases the row; {@code false} if it was over already, or if it ends only once the server notices. */
    boolean end() {
        return end(session -> false);
    }

    /**
     * Releases the row and commits work with it. The row is released without the work if that fails.
     *
     * @param last writes to the database; returns whether it is to be committed
     * @return {@code false} if the row was over already, or if it ends only once the server notices
     */
    boolean end(SqlWork<Boolean> last) {
        // Only one caller ends the row. A renewal in progress reads this after its statements.
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        boolean wasValid = !lost && nanosToDeadline() > 0;
        if (lost || !lockForLastStatements()) {
            awaitSoon(ConnectionAbort.begin(session));
            return false;
        }
        try {
            commit(last);
            sql.unlock(session);
            session.close();
            return wasValid;
        } catch (Throwable ex) {
            // also an error of the JVM: no other caller ends the row
            ConnectionAbort.begin(session);
            return false;
        } finally {
            connectionInUse.unlock();
        }
    }

    private void commit(SqlWork<Boolean> last) {
        try {
            if (last.run(session)) {
                session.commit();
            }
        } catch (SQLException | RuntimeException ex) {
            // what follows rolls back, or fails on a connection that does not answer
        }
    }

    private boolean isOver() {
        return lost || ended.get() || nanosToDeadline() <= 0;
    }

    private static void awaitSoon(CompletableFuture<?> ending) {
        ending.copy()
                .completeOnTimeout(null, LATE_ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                .join();
    }

    /** Locks the connection for its last statements; {@code false} if it hangs. */
    private boolean lockForLastStatements() {
        if (!tryLockConnection()) {
            return false;
        }
        try {
            session.waitForAnswersAsUsual();
            return true;
        } catch (Throwable ex) {
            connectionInUse.unlock();
            return false;
        }
    }

    /**
     * Waits {@value #LATE_ANSWER_MILLIS} ms for another thread's call on the connection to end; {@code false} if it
     * hangs.
     */
    private boolean tryLockConnection() {
        try {
            return connectionInUse.tryLock(LATE_ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
