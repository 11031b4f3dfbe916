package io.leasehold.jdbc.connection;

import io.leasehold.support.DaemonThreads;
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
 * Opens connections for a pool within a bounded time, whatever the driver does: a network that swallows a handshake would
 * otherwise hold the pool's only thread that opens connections. A connection that comes too late is closed. At most
 * {@value #MOST_OPENING} connections are being opened at a time, late ones included.
 *
 * <p>The pool's login timeout is ignored, because drivers that have none of their own use that of the whole JVM.
 */
final class BoundedDataSource implements DataSource {

    private static final int MOST_OPENING = 16;

    private final Opening opening;

    private final Duration longest;

    private final ThreadFactory threads = DaemonThreads.named("leasehold-jdbc-opener");

    private final Semaphore places = new Semaphore(MOST_OPENING);

    BoundedDataSource(Opening opening, Duration longest) {
        this.opening = opening;
        this.longest = longest;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (!places.tryAcquire()) {
            throw new SQLTransientConnectionException(
                    MOST_OPENING + " connections are being opened and the database does not answer", "08001");
        }
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        threads.newThread(() -> open(opened)).start();
        try {
            return opened.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException ex) {
            throw ex.getCause() instanceof SQLException cause
                    ? cause
                    : new SQLException("no connection could be opened", "08001", ex.getCause());
        } catch (TimeoutException ex) {
            opened.thenAccept(BoundedDataSource::close);
            throw new SQLTransientConnectionException("no connection was opened within " + longest, "08001", ex);
        } catch (InterruptedException ex) {
            opened.thenAccept(BoundedDataSource::close);
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

    /** How long the pool waits at its end for a connection that is just being opened. */
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

    private static void close(Connection late) {
        try {
            late.close();
        } catch (SQLException | RuntimeException ex) {
            // nothing is left to be done for it
        }
    }

    /** Opens a connection. */
    @FunctionalInterface
    interface Opening {

        Connection open() throws SQLException;
    }
}
