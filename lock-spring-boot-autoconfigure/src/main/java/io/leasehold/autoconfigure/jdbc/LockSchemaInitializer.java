package io.leasehold.autoconfigure.jdbc;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates a store's tables at start-up. A database that is not there yet does not keep the application from starting; it is
 * asked again from time to time, in the background, until it has answered.
 */
public final class LockSchemaInitializer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LockSchemaInitializer.class);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private @Nullable ScheduledExecutorService executor;

    private boolean closed;

    /** Creates the tables now, or later if the database cannot be asked now. */
    public void create(Runnable initializeSchema) {
        try {
            initializeSchema.run();
        } catch (BackendFailure ex) {
            if (ex.effect() == Effect.REFUSED) {
                tellRefused(ex);
                return;
            }
            log.warn(
                    "Tables for locks were not created yet. That is tried again until the database answers; no lock can be"
                            + " taken before, unless they are there",
                    ex);
            tryAgain(initializeSchema, FIRST_PAUSE);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (executor != null) {
            executor.shutdownNow();
        }
    }

    private synchronized void tryAgain(Runnable initializeSchema, Duration pause) {
        if (closed) {
            return;
        }
        if (executor == null) {
            executor = Executors.newSingleThreadScheduledExecutor(LockSchemaInitializer::newThread);
        }
        try {
            executor.schedule(() -> createLater(initializeSchema, pause), pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            log.debug("Tables for locks are not created any more: the application stops", ended);
        }
    }

    private void createLater(Runnable initializeSchema, Duration pause) {
        try {
            initializeSchema.run();
            log.info("Tables for locks are there now");
        } catch (BackendFailure ex) {
            if (ex.effect() == Effect.REFUSED) {
                tellRefused(ex);
                return;
            }
            log.debug("Tables for locks were not created this time either", ex);
            Duration twice = pause.multipliedBy(2);
            tryAgain(initializeSchema, twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice);
        }
    }

    private static void tellRefused(BackendFailure refusal) {
        log.warn(
                "Tables for locks were not created: the database refused. No lock can be taken unless they are there:"
                        + " create them by your migration tool, or let the database's user create tables and start again",
                refusal);
    }

    private static Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "lock-tables");
        thread.setDaemon(true);
        return thread;
    }
}
