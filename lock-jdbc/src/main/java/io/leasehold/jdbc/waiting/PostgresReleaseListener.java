package io.leasehold.jdbc.waiting;

import io.leasehold.jdbc.connection.JdbcExecutor;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.table.PostgresNotifyingLeaseTable;
import io.leasehold.support.DaemonThreads;
import io.leasehold.support.RevocationListeners;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for PostgreSQL's notifications of released locks and revoked leases, on a connection of its own. The
 * connection is opened when there are waiters, and closed when there have been none for a while.
 *
 * <p>Behind a transaction pooler, such a connection looks like any other and receives no notifications. It is therefore
 * relied on only after it has received a notification that was sent on another connection, and only while the server
 * answers on it.
 */
public final class PostgresReleaseListener implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PostgresReleaseListener.class);

    private static final Duration TRUSTED = Duration.ofSeconds(3);

    private static final Duration KEPT = Duration.ofSeconds(30);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

    private static final Duration PAUSE_BEHIND_POOLER = Duration.ofMinutes(5);

    private static final int LISTEN_MILLIS = 1_000;

    private static final Pattern RELEASE = Pattern.compile("(\\d{1,18}) ([0-9a-f]{64})");

    private static final Pattern REVOCATION = Pattern.compile(PostgresNotifyingLeaseTable.REVOKED + "([0-9a-f]{16})");

    private final boolean on;

    private final Source source;

    private final JdbcExecutor others;

    private final LongSupplier nanoTime;

    private final Listener released;

    private final RevocationListeners revoked;

    private final AtomicBoolean running = new AtomicBoolean();

    private volatile @Nullable LockConnection session;

    private volatile boolean proven;

    private volatile boolean closed;

    private volatile long aliveAt;

    private volatile long wantedAt;

    private volatile long notBefore;

    public PostgresReleaseListener(
            boolean on,
            Source source,
            JdbcExecutor others,
            LongSupplier nanoTime,
            Listener released,
            RevocationListeners revoked) {
        this.on = on;
        this.source = source;
        this.others = others;
        this.nanoTime = nanoTime;
        this.released = released;
        this.revoked = revoked;
        this.notBefore = nanoTime.getAsLong();
    }

    /** Records that there are waiters, and starts listening if necessary. */
    void want() {
        long now = nanoTime.getAsLong();
        // Written before the thread starts: the thread stops once this is too old.
        wantedAt = now;
        if (on && !closed && now - notBefore >= 0 && running.compareAndSet(false, true)) {
            startListening();
        }
    }

    private void startListening() {
        boolean started = false;
        try {
            DaemonThreads.named("leasehold-jdbc-notices")
                    .newThread(this::listen)
                    .start();
            started = true;
        } finally {
            if (!started) {
                running.set(false);
            }
        }
    }

    /** Whether notifications can be relied on. */
    boolean isListening() {
        return proven && nanoTime.getAsLong() - aliveAt < TRUSTED.toNanos();
    }

    @Override
    public void close() {
        // Written before the connection is read. listen() publishes the connection and then reads this field, so one of
        // the two threads ends the connection.
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
                // LISTEN would stay in effect on a session that other clients use.
                notBefore = nanoTime.getAsLong() + PAUSE_BEHIND_POOLER.toNanos();
                open.close();
                return;
            }
            PGConnection connection = open.connection().unwrap(PGConnection.class);
            open.execute("LISTEN " + PostgresNotifyingLeaseTable.CHANNEL);
            // Published before the loop reads `closed`, see close().
            session = open;
            aliveAt = nanoTime.getAsLong();
            while (!closed && nanoTime.getAsLong() - wantedAt < KEPT.toNanos()) {
                receive(open, connection);
            }
            open.execute("UNLISTEN " + PostgresNotifyingLeaseTable.CHANNEL);
            open.close();
        } catch (Throwable ex) {
            // also an error of the JVM: the pool would never get the connection back
            notBefore = nanoTime.getAsLong() + PAUSE_AFTER_FAILURE.toNanos();
            if (open != null) {
                open.discard();
            }
            log.debug("No notifications of releases for now; waiters poll instead", ex);
        } finally {
            session = null;
            proven = false;
            // Last: the next thread may start as soon as this is false.
            running.set(false);
        }
    }

    private void receive(LockConnection open, PGConnection connection) throws SQLException {
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
                passOn(message.getParameter());
            }
        }
        aliveAt = nanoTime.getAsLong();
    }

    /**
     * Passes a release or a revocation on. Any other notification, such as the probe, only proves that notifications
     * arrive.
     */
    private void passOn(String message) {
        Matcher release = RELEASE.matcher(message);
        if (release.matches()) {
            released.released(HexFormat.of().parseHex(release.group(2)), Long.parseLong(release.group(1)));
        }
        Matcher revocation = REVOCATION.matcher(message);
        if (revocation.matches()) {
            revoked.hint(revocation.group(1));
        }
    }

    private boolean probe(LockConnection other) throws SQLException {
        other.execute("NOTIFY " + PostgresNotifyingLeaseTable.CHANNEL);
        return true;
    }

    /** Receives the releases. */
    @FunctionalInterface
    public interface Listener {

        /**
         * Called when a lock was released.
         *
         * @param keyHash the hash of the lock's key, as in the table
         * @param fence the fencing token of the grant that ended
         */
        void released(byte[] keyHash, long fence);
    }

    /** Opens a connection. */
    @FunctionalInterface
    public interface Source {

        LockConnection open() throws SQLException;
    }
}
