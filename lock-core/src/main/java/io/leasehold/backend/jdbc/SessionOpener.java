package io.leasehold.backend.jdbc;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Opens sessions on threads of its own, so that nobody has to wait for a driver that does. */
final class SessionOpener implements AutoCloseable {

    private final Opening opening;

    private final ThreadPoolExecutor threads;

    SessionOpener(int most, Opening opening) {
        this.opening = opening;
        threads = new ThreadPoolExecutor(most, most, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
            Thread thread = new Thread(work, "leasehold-jdbc-opener");
            thread.setDaemon(true);
            return thread;
        });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Opens one more session; ends when it is open, or with the failure to open it. */
    CompletableFuture<?> open() {
        CompletableFuture<Void> opened = new CompletableFuture<>();
        try {
            threads.execute(() -> open(opened));
        } catch (RejectedExecutionException ex) {
            opened.completeExceptionally(ex);
        }
        return opened;
    }

    /** Why a session that could not be opened was not: an {@link SQLException}, or whatever else is thrown right away. */
    static SQLException failure(CompletableFuture<?> opening) {
        Throwable cause = opening.handle((done, failure) -> failure).join();
        if (cause instanceof RuntimeException ex) {
            throw ex;
        }
        return cause instanceof SQLException ex ? ex : new SQLException("no connection could be opened", cause);
    }

    @Override
    public void close() {
        threads.shutdown();
    }

    private void open(CompletableFuture<Void> opened) {
        try {
            opening.run();
            opened.complete(null);
        } catch (Throwable ex) {
            opened.completeExceptionally(ex);
        }
    }

    /** Opens a session. */
    @FunctionalInterface
    interface Opening {

        void run() throws SQLException;
    }
}
