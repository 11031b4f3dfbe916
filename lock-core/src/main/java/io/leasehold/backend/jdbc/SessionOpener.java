package io.leasehold.backend.jdbc;

import java.sql.SQLException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens sessions one after another on a thread of its own, for whoever is first to need them. */
final class SessionOpener implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SessionOpener.class);

    private final Opening opening;

    private final ThreadPoolExecutor thread;

    SessionOpener(Opening opening) {
        this.opening = opening;
        thread = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
            Thread opener = new Thread(work, "leasehold-jdbc-opener");
            opener.setDaemon(true);
            return opener;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    void openOneMore() {
        try {
            thread.execute(this::open);
        } catch (RejectedExecutionException closed) {
            log.debug("No connection is opened any more", closed);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }

    private void open() {
        try {
            opening.run();
        } catch (SQLException | RuntimeException ex) {
            log.debug("One more connection could not be opened; there are others in use", ex);
        }
    }

    /** Opens a session. */
    @FunctionalInterface
    interface Opening {

        void run() throws SQLException;
    }
}
