package io.leasehold.jdbc.row;

import io.leasehold.jdbc.connection.ConnectionAbort;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.spi.RenewAnswer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A row that this process has locked, and its connection.
 *
 * <p>Its holder believes in it until its deadline at the latest, and hears of a loss by the next answer to a renewal. So
 * the connection of a row that is lost is not closed before the deadline, which would let somebody else lock the row
 * while the holder does not know, and an answer is waited for until then; unless the holder lets go first.
 */
final class HeldRow {

    private static final long LATE_ANSWER_MILLIS = 200;

    private final RowLockStatements sql;

    private final LockConnection session;

    private final LongSupplier nanoTime;

    private final long fence;

    private final ReentrantLock conversation = new ReentrantLock();

    private final AtomicBoolean ended = new AtomicBoolean();

    private volatile long deadline;

    private volatile boolean lost;

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

    /** How long it may still be believed in, in nanoseconds; zero or less if no more. */
    long nanosToDeadline() {
        return deadline - nanoTime.getAsLong();
    }

    /** Lets it last for at least a ttl from now, if its connection lives; unknown while that does not answer. */
    RenewAnswer renew(Duration ttl) {
        if (!hasTurnToSpeak()) {
            return RenewAnswer.UNKNOWN;
        }
        try {
            long now = nanoTime.getAsLong();
            long present = deadline;
            if (isOver()) {
                return RenewAnswer.NOT_OWNER;
            }
            session.waitForAnswers(Duration.ofNanos(present - now));
            long wanted = now + ttl.toNanos();
            if (wanted - present > 0) {
                sql.endWhenIdleFor(session, ttl);
            }
            sql.ping(session);
            deadline = wanted - present > 0 ? wanted : present;
            return ended.get() ? RenewAnswer.NOT_OWNER : RenewAnswer.RENEWED;
        } catch (SQLException ex) {
            lost = true;
            return RenewAnswer.NOT_OWNER;
        } finally {
            conversation.unlock();
        }
    }

    /** Lets it last for a while from now and no longer; false if it is over. */
    boolean keep(Duration time) {
        if (!isOver() && beginsLastWords()) {
            try {
                sql.endWhenIdleFor(session, time);
                deadline = nanoTime.getAsLong() + time.toNanos();
                return true;
            } catch (SQLException ex) {
                lost = true;
            } finally {
                conversation.unlock();
            }
        }
        end();
        return false;
    }

    /** Lets the row go; false if it was over already, or is only when the server hears of it. */
    boolean end() {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        boolean wasValid = !lost && nanosToDeadline() > 0;
        if (lost || !beginsLastWords()) {
            return isDoneSoon(ConnectionAbort.begin(session)) && wasValid;
        }
        try {
            sql.unlock(session);
            session.close();
            return wasValid;
        } catch (SQLException ex) {
            ConnectionAbort.begin(session);
            return false;
        } finally {
            conversation.unlock();
        }
    }

    private boolean isOver() {
        return lost || ended.get() || nanosToDeadline() <= 0;
    }

    private static boolean isDoneSoon(CompletableFuture<?> ending) {
        ending.copy()
                .completeOnTimeout(null, LATE_ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                .join();
        return ending.isDone();
    }

    /** Prepares the connection for the last words on it; false if it hangs. */
    private boolean beginsLastWords() {
        if (!hasTurnToSpeak()) {
            return false;
        }
        try {
            session.waitForAnswersAsUsual();
            return true;
        } catch (SQLException ex) {
            conversation.unlock();
            return false;
        }
    }

    /** Waits a moment for the end of what another thread says on the connection; false if that hangs. */
    private boolean hasTurnToSpeak() {
        try {
            return conversation.tryLock(LATE_ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
