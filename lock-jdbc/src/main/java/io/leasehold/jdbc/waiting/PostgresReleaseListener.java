package io.leasehold.jdbc.waiting;

import io.leasehold.jdbc.connection.JdbcExecutor;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.table.PostgresNotifyingLeaseTable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears from PostgreSQL of locks that were released, on a connection of its own, which is opened when somebody waits and
 * closed when nobody has waited for a while.
 *
 * <p>Behind a pooler of transactions such a connection looks like any other and hears nothing. So it counts only once a
 * message has come that was sent on another, and as long as the server answers on it.
 */
public final class PostgresReleaseListener implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PostgresReleaseListener.class);

    private static final Duration TRUSTED = Duration.ofSeconds(3);

    private static final Duration KEPT = Duration.ofSeconds(30);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

    private static final Duration PAUSE_BEHIND_POOLER = Duration.ofMinutes(5);

    private static final int LISTEN_MILLIS = 1_000;

    private final boolean on;

    private final Source source;

    private final JdbcExecutor others;

    private final LongSupplier nanoTime;

    private final Listener released;

    private final AtomicBoolean running = new AtomicBoolean();

    private volatile @Nullable LockConnection session;

    private volatile boolean proven;

    private volatile boolean closed;

    private volatile long aliveAt;

    private volatile long wantedAt;

    private volatile long notBefore;

    public PostgresReleaseListener(
            boolean on, Source source, JdbcExecutor others, LongSupplier nanoTime, Listener released) {
        this.on = on;
        this.source = source;
        this.others = others;
        this.nanoTime = nanoTime;
        this.released = released;
        this.notBefore = nanoTime.getAsLong();
    }

    /** Somebody waits. */
    void want() {
        long now = nanoTime.getAsLong();
        wantedAt = now;
        if (on && !closed && now - notBefore >= 0 && running.compareAndSet(false, true)) {
            Thread thread = new Thread(this::listen, "leasehold-jdbc-notices");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Whether it is worth being told. */
    boolean isListening() {
        return proven && nanoTime.getAsLong() - aliveAt < TRUSTED.toNanos();
    }

    @Override
    public void close() {
        closed = true;
        LockConnection open = session;
        if (open != null) {
            open.abort();
        }
    }

    private void listen() {
        LockConnection open = null;
        try {
            open = source.open();
            if (open.isPooled()) {
                // LISTEN would stay with a session that other clients use
                notBefore = nanoTime.getAsLong() + PAUSE_BEHIND_POOLER.toNanos();
                open.close();
                return;
            }
            PGConnection connection = open.connection().unwrap(PGConnection.class);
            open.execute("LISTEN " + PostgresNotifyingLeaseTable.CHANNEL);
            session = open;
            aliveAt = nanoTime.getAsLong();
            while (!closed && nanoTime.getAsLong() - wantedAt < KEPT.toNanos()) {
                hear(open, connection);
            }
            open.execute("UNLISTEN " + PostgresNotifyingLeaseTable.CHANNEL);
            open.close();
        } catch (SQLException | RuntimeException | LinkageError ex) {
            notBefore = nanoTime.getAsLong() + PAUSE_AFTER_FAILURE.toNanos();
            if (open != null) {
                open.discard();
            }
            log.debug("Releases are not heard of for now, so those who wait look for themselves", ex);
        } finally {
            session = null;
            proven = false;
            running.set(false);
        }
    }

    private void hear(LockConnection open, PGConnection connection) throws SQLException {
        if (!proven) {
            others.submit("sending a message to this process itself", this::probe);
        }
        PGNotification[] messages = connection.getNotifications(LISTEN_MILLIS);
        if (messages == null || messages.length == 0) {
            if (!open.isAlive()) {
                throw new SQLException("the connection does not answer any more", "08006");
            }
        } else {
            proven = true;
            for (PGNotification message : messages) {
                tell(message.getParameter());
            }
        }
        aliveAt = nanoTime.getAsLong();
    }

    /** What is no release, such as the greeting, has proven that messages arrive, and says nothing else. */
    private void tell(String message) {
        int separator = message.indexOf(' ');
        if (separator > 0 && message.substring(0, separator).matches("\\d{1,18}")) {
            released.released(message.substring(separator + 1), Long.parseLong(message.substring(0, separator)));
        }
    }

    private boolean probe(LockConnection other) throws SQLException {
        other.execute("NOTIFY " + PostgresNotifyingLeaseTable.CHANNEL);
        return true;
    }

    /** Is told of each release. */
    @FunctionalInterface
    public interface Listener {

        /**
         * A lock was released.
         *
         * @param lock the lock's id, as it is readable in the table
         * @param fence the fencing token of the grant that ended
         */
        void released(String lock, long fence);
    }

    /** Opens a session. */
    @FunctionalInterface
    public interface Source {

        LockConnection open() throws SQLException;
    }
}
