package io.leasehold.autoconfigure.jdbc;

import io.leasehold.autoconfigure.backend.BackendType;
import io.leasehold.autoconfigure.backend.LockBackends;
import io.leasehold.jdbc.JdbcLockBackend;
import io.leasehold.support.DaemonThreads;
import io.leasehold.support.SafeLogging;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Periodically removes the rows of keys that have not been locked for some time, while the application runs. */
final class JdbcLockPurge implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(JdbcLockPurge.class);

    private final LockBackends backends;

    private final Duration interval;

    private @Nullable ScheduledExecutorService executor;

    JdbcLockPurge(LockBackends backends, Duration interval) {
        this.backends = backends;
        this.interval = interval;
    }

    @Override
    public synchronized void start() {
        if (executor == null && interval.toMillis() > 0) {
            ScheduledExecutorService started =
                    Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("lock-jdbc-purge"));
            started.scheduleWithFixedDelay(
                    this::purge, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
            executor = started;
        }
    }

    @Override
    public synchronized void stop() {
        if (executor != null) {
            executor.shutdownNow();
            executor = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return executor != null;
    }

    private void purge() {
        try {
            backends.find(BackendType.JDBC.backend(), JdbcLockBackend.class)
                    .ifPresent(backend -> backend.purge().whenComplete((rows, failure) -> {
                        if (failure != null) {
                            logFailure(failure);
                        }
                    }));
        } catch (Throwable ex) {
            // as if the store cannot be opened again: an exception would end the schedule
            logFailure(ex);
        }
    }

    private static void logFailure(Throwable failure) {
        SafeLogging.log(() -> log.info("Rows of unused locks were not removed this time: {}", failure.getMessage()));
    }
}
