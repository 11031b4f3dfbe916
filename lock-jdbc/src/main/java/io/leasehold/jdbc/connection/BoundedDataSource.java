package io.leasehold.jdbc.connection;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections for a pool within a bounded time, independent of the driver. Otherwise a network that drops a
 * handshake would block the pool's only thread that opens connections. A connection that arrives too late is closed. At
 * most {@value #MOST_OPENING} connections are being opened at a time, including late ones.
 *
 * <p>If a connection takes long to open, another one is opened beside it, and the first one that is open is used. After a
 * failover, the former server may never answer a handshake. The present one answers immediately.
 *
 * <p>The pool's login timeout is ignored, because drivers without a login timeout of their own use that of the whole
 * JVM.
 */
final class BoundedDataSource implements DataSource {

    private static final int MOST_OPENING = 16;

    private final Opening opening;

    private final DatabaseAddress address;

    private final Duration usual;

    private final Duration longest;

    private final ThreadFactory threads;

    private final Semaphore places = new Semaphore(MOST_OPENING);

    /**
     * Creates a data source.
     *
     * @param opening opens one connection
     * @param address the address of the database, for messages
     * @param usual after how long another connection is opened beside the first
     * @param longest the longest time to open a connection, a multiple of the usual one
     * @param threads creates a thread for each connection
     */
    BoundedDataSource(
            Opening opening, DatabaseAddress address, Duration usual, Duration longest, ThreadFactory threads) {
        this.opening = opening;
        this.address = address;
        this.usual = usual;
        this.longest = longest;
        this.threads = threads;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (!places.tryAcquire()) {
            throw new SQLTransientConnectionException(
                    MOST_OPENING + " connections are being opened and the database does not answer" + address.text(),
                    "08001");
        }
        Race race = new Race();
        start(race);
        boolean isUsed = false;
        try {
            Connection connection = race.first();
            isUsed = true;
            return connection;
        } catch (ExecutionException ex) {
            throw address.added(
                    ex.getCause() instanceof SQLException cause
                            ? cause
                            : new SQLException(
                                    "no connection could be opened: " + ex.getCause(), "08001", ex.getCause()));
        } catch (TimeoutException ex) {
            throw new SQLTransientConnectionException(
                    "no connection was opened within " + longest + address.text(), "08001", ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while opening a connection", "08001", ex);
        } finally {
            if (!isUsed) {
                race.abandon();
            }
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    /** How long the pool waits on close for a connection that is being opened. */
    @Override
    public int getLoginTimeout() {
        return (int) longest.toSeconds();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger(Logger.GLOBAL_LOGGER_NAME);
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("not a wrapper");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }

    /** Opens a connection on a thread of its own, for which the caller has a place. */
    private void start(Race race) {
        race.running.incrementAndGet();
        try {
            threads.newThread(() -> open(race)).start();
        } catch (Throwable ex) {
            places.release();
            throw ex;
        }
    }

    private void open(Race race) {
        try {
            race.end(opening.open());
        } catch (Throwable ex) {
            race.fail(ex);
        } finally {
            places.release();
        }
    }

    /** Connections that are opened for one call. The first one is used. */
    private final class Race {

        private final CompletableFuture<Connection> opened = new CompletableFuture<>();

        private final AtomicInteger running = new AtomicInteger();

        Connection first() throws ExecutionException, InterruptedException, TimeoutException {
            for (Duration left = longest; left.compareTo(usual) > 0; left = left.minus(usual)) {
                try {
                    return opened.get(usual.toNanos(), TimeUnit.NANOSECONDS);
                } catch (TimeoutException ex) {
                    if (places.tryAcquire()) {
                        start(this);
                    }
                }
            }
            return opened.get(usual.toNanos(), TimeUnit.NANOSECONDS);
        }

        void end(Connection connection) {
            if (!opened.complete(connection)) {
                LockConnection.close(connection);
            }
        }

        /** A failure of one does not end the others. */
        void fail(Throwable ex) {
            if (running.decrementAndGet() == 0) {
                opened.completeExceptionally(ex);
            }
        }

        /** Closes the first connection, which may be open already. */
        void abandon() {
            opened.thenAccept(LockConnection::close);
        }
    }

    /** Opens a connection. */
    @FunctionalInterface
    interface Opening {

        Connection open() throws SQLException;
    }
}
