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
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections for a pool within a bounded time, independent of the driver. Otherwise a network that drops a
 * handshake would block the pool's only thread that opens connections. A connection that arrives too late is closed. At
 * most {@value #MOST_OPENING} connections are being opened at a time, including late ones.
 *
 * <p>The pool's login timeout is ignored, because drivers without a login timeout of their own use that of the whole
 * JVM.
 */
final class BoundedDataSource implements DataSource {

    private static final int MOST_OPENING = 16;

    private final Opening opening;

    private final DatabaseAddress address;

    private final Duration longest;

    private final ThreadFactory threads;

    private final Semaphore places = new Semaphore(MOST_OPENING);

    BoundedDataSource(Opening opening, DatabaseAddress address, Duration longest, ThreadFactory threads) {
        this.opening = opening;
        this.address = address;
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
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        try {
            threads.newThread(() -> open(opened)).start();
        } catch (Throwable ex) {
            places.release();
            throw ex;
        }
        try {
            return opened.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException ex) {
            throw address.added(
                    ex.getCause() instanceof SQLException cause
                            ? cause
                            : new SQLException("no connection could be opened", "08001", ex.getCause()));
        } catch (TimeoutException ex) {
            // The opening thread may still succeed. The callback also runs if it already has, so no connection leaks.
            opened.thenAccept(LockConnection::close);
            throw new SQLTransientConnectionException(
                    "no connection was opened within " + longest + address.text(), "08001", ex);
        } catch (InterruptedException ex) {
            opened.thenAccept(LockConnection::close);
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while opening a connection", "08001", ex);
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

    private void open(CompletableFuture<Connection> opened) {
        try {
            opened.complete(opening.open());
        } catch (Throwable ex) {
            opened.completeExceptionally(ex);
        } finally {
            places.release();
        }
    }

    /** Opens a connection. */
    @FunctionalInterface
    interface Opening {

        Connection open() throws SQLException;
    }
}
