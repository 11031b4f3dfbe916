package io.leasehold.jdbc.waiting;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.JdbcExecutor;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.table.InListPadding;
import io.leasehold.jdbc.table.LeaseOperations;
import io.leasehold.jdbc.table.LeaseRow;
import io.leasehold.jdbc.table.LeaseTable;
import io.leasehold.support.DaemonThreads;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Polls, while there are waiters, which of their locks are free. One plain read covers all locks and locks no rows. If
 * the database notifies waiters of releases, see {@link PostgresReleaseListener}, the poll interval is longer; polling
 * then covers leases that expire and notifications that are lost.
 */
public final class ReleasePoller implements AutoCloseable {

    private static final int BATCH = 512;

    private static final int PAUSE_AFTER_FAILURE = 20;

    private static final int INTERVALS_WITH_NOTIFICATIONS = 10;

    private static final Duration LONGEST_WITH_NOTIFICATIONS = Duration.ofMillis(500);

    private final Duration interval;

    private final Duration intervalWithNotifications;

    private final JdbcExecutor executor;

    private final LeaseOperations leases;

    private final WaiterQueue waiters;

    private final PostgresReleaseListener listener;

    private final PollTimer timer;

    private final AtomicBoolean polling = new AtomicBoolean();

    public ReleasePoller(
            Duration interval,
            JdbcExecutor executor,
            LeaseOperations leases,
            WaiterQueue waiters,
            PostgresReleaseListener listener,
            LongSupplier nanoTime) {
        this.interval = interval;
        this.intervalWithNotifications = longer(
                interval, shorter(interval.multipliedBy(INTERVALS_WITH_NOTIFICATIONS), LONGEST_WITH_NOTIFICATIONS));
        this.executor = executor;
        this.leases = leases;
        this.waiters = waiters;
        this.listener = listener;
        this.timer = new PollTimer("leasehold-jdbc-poller", nanoTime, this::poll);
    }

    /** Whether waiters are notified at all. */
    public boolean isOn() {
        return !interval.isZero();
    }

    /** Whether it is useful to request notifications of releases from the database. */
    public boolean isListening() {
        return isOn() && listener.isListening();
    }

    /**
     * Queues a waiter.
     *
     * @param wakeup completes when the lock of the row was released or was seen free; a waiter that gives up completes it
     */
    public void join(byte[] key, LeaseRow busy, DatabaseDialect dialect, CompletableFuture<Void> wakeup) {
        // Queued before the timer is set: a poll that finds no waiter does not set it again.
        waiters.join(key, wakeup);
        if (dialect.notifiesOfReleases()) {
            listener.want();
        }
        timer.setTo(busy.notifies() && listener.isListening() ? intervalWithNotifications : interval);
    }

    @Override
    public void close() {
        timer.close();
        listener.close();
    }

    private void poll() {
        List<byte[]> wanted = waiters.wanted();
        if (wanted.isEmpty()) {
            return;
        }
        if (!polling.compareAndSet(false, true)) {
            timer.setTo(interval);
            return;
        }
        executor.submit("looking for free locks", session -> poll(session, wanted))
                .whenComplete((pause, failure) -> {
                    // Cleared before the timer is set: a timer that runs out before would find a poll in progress
                    // and be postponed.
                    polling.set(false);
                    timer.setTo(failure == null ? pause : interval.multipliedBy(PAUSE_AFTER_FAILURE));
                });
    }

    /** Polls once; returns the longest time until the next poll. */
    private Duration poll(LockConnection session, List<byte[]> wanted) throws SQLException {
        Duration pause = intervalWithNotifications;
        if (session.dialect().notifiesOfReleases()) {
            listener.want();
        }
        for (int from = 0; from < wanted.size(); from += BATCH) {
            List<byte[]> batch = wanted.subList(from, Math.min(wanted.size(), from + BATCH));
            if (listener.isListening()) {
                // Requested before the rows are read: a release in between either notifies, or is visible to the read.
                leases.table(session).requestNotification(session, batch);
            }
            Map<ByteBuffer, LeaseRow> rows = read(session, batch);
            for (byte[] key : batch) {
                LeaseRow row = rows.get(ByteBuffer.wrap(key));
                if (row == null) {
                    waiters.free(key, 0);
                } else if (!row.isHeld()) {
                    waiters.free(key, row.fence());
                }
                pause = shorter(pause, pauseAfter(row));
            }
        }
        return pause;
    }

    private Duration pauseAfter(@Nullable LeaseRow row) {
        return row != null && row.isHeld() && row.notifies() && listener.isListening() ? row.remaining() : interval;
    }

    private Map<ByteBuffer, LeaseRow> read(LockConnection session, List<byte[]> keys) throws SQLException {
        int slots = InListPadding.slots(keys.size());
        PreparedStatement read = session.prepare(leases.table(session)
                .sql("SELECT " + LeaseTable.WATCHED + ", key_hash FROM {table} WHERE key_hash IN ("
                        + InListPadding.list(slots) + ")"));
        InListPadding.bind(read, 1, slots, keys);
        Map<ByteBuffer, LeaseRow> found = new HashMap<>();
        try (ResultSet rows = read.executeQuery()) {
            for (LeaseRow row = LeaseTable.watchedRow(rows); row != null; row = LeaseTable.watchedRow(rows)) {
                found.put(ByteBuffer.wrap(rows.getBytes(6)), row);
            }
        }
        return found;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    /** Runs an action at the earliest of the times to which it was set, and not again until it is set again. */
    private static final class PollTimer implements AutoCloseable {

        private final ScheduledThreadPoolExecutor scheduler;

        private final LongSupplier nanoTime;

        private final Runnable what;

        private @Nullable ScheduledFuture<?> next;

        private long nextAt;

        /** Creates a timer. Its thread exists only while the timer is set, and for up to ten seconds after. */
        PollTimer(String thread, LongSupplier nanoTime, Runnable what) {
            this.nanoTime = nanoTime;
            this.what = what;
            scheduler = new ScheduledThreadPoolExecutor(1, DaemonThreads.named(thread));
            scheduler.setKeepAliveTime(10, TimeUnit.SECONDS);
            scheduler.allowCoreThreadTimeOut(true);
            scheduler.setRemoveOnCancelPolicy(true);
        }

        synchronized void setTo(Duration fromNow) {
            long at = nanoTime.getAsLong() + fromNow.toNanos();
            ScheduledFuture<?> set = next;
            if (set != null && nextAt - at <= 0) {
                return;
            }
            if (set != null) {
                // in this order: a time that could not be set must not keep later ones from being set
                next = null;
                set.cancel(false);
            }
            try {
                next = scheduler.schedule(this::run, fromNow.toNanos(), TimeUnit.NANOSECONDS);
                nextAt = at;
            } catch (RejectedExecutionException closed) {
                next = null;
            }
        }

        @Override
        public void close() {
            scheduler.shutdownNow();
        }

        private void run() {
            // Cleared before the action runs, so that setTo() during the action schedules the next run.
            synchronized (this) {
                next = null;
            }
            what.run();
        }
    }
}
