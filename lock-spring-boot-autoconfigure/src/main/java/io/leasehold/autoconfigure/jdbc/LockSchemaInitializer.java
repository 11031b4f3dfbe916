package io.leasehold.autoconfigure.jdbc;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.support.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates a store's tables at start-up. If the database is not available yet, the application starts nevertheless, and
 * the creation is retried in the background until the database answers.
 */
public final class LockSchemaInitializer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LockSchemaInitializer.class);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private @Nullable ScheduledExecutorService executor;

    private boolean closed;

    private @Nullable Runnable latest;

    /**
     * Creates the tables now, or later if the database is not available now.
     *
     * @param initializeSchema creates them through the store of this moment. A store that was replaced, after a pause of
     *     the application, does not try again
     */
    public void create(Runnable initializeSchema) {
        synchronized (this) {
            latest = initializeSchema;
        }
        try {
            initializeSchema.run();
        } catch (BackendFailure ex) {
            if (ex.effect() == Effect.REFUSED) {
                logRefusal(ex);
                return;
            }
            log.warn(
                    "Lock tables could not be created yet: {}. This is retried until the database is available. Locks cannot"
                            + " be acquired until the tables exist",
                    ex.getMessage());
            log.debug("The database was not available", ex);
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
        if (closed || latest != initializeSchema) {
            return;
        }
        if (executor == null) {
            executor = Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("lock-tables"));
        }
        try {
            executor.schedule(() -> createLater(initializeSchema, pause), pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            log.debug("Lock tables are not created any more, since the application stops", ended);
        }
    }

    private void createLater(Runnable initializeSchema, Duration pause) {
        try {
            initializeSchema.run();
            log.info("Lock tables exist now");
        } catch (Throwable ex) {
            if (ex instanceof BackendFailure failure && failure.effect() == Effect.REFUSED) {
                logRefusal(failure);
                return;
            }
            log.debug("Lock tables could not be created this time either", ex);
            Duration twice = pause.multipliedBy(2);
            tryAgain(initializeSchema, twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice);
        }
    }

    private static void logRefusal(BackendFailure refusal) {
        log.warn(
                "Lock tables could not be created: {}. Locks cannot be acquired until the tables exist. Start again for"
                        + " another attempt to create them",
                refusal.getMessage());
        log.debug("The database refused", refusal);
    }
}
