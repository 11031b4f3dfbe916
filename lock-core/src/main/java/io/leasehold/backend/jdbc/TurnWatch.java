package io.leasehold.backend.jdbc;

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
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks, as long as somebody waits, which of the wanted locks are free: one plain read for all of them at a fixed pace,
 * which locks nothing. A message would be quicker, but {@code NOTIFY} is received through classes of PostgreSQL's driver
 * alone and makes commits wait for each other, and the other databases have nothing like it.
 */
final class TurnWatch implements AutoCloseable {

    private static final int BATCH = 512;

    private static final int PAUSE_AFTER_FAILURE = 20;

    private final Duration interval;

    private final Lane lane;

    private final Leases leases;

    private final Turns turns = new Turns();

    private final AtomicBoolean watching = new AtomicBoolean();

    private final ScheduledThreadPoolExecutor timer;

    TurnWatch(Duration interval, Lane lane, Leases leases) {
        this.interval = interval;
        this.lane = lane;
        this.leases = leases;
        timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "leasehold-jdbc-turns");
            thread.setDaemon(true);
            return thread;
        });
        timer.setKeepAliveTime(10, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    /** Whether anybody is told at all. */
    boolean isOn() {
        return !interval.isZero();
    }

    /** A turn that ends when the lock with a row key was seen free. */
    CompletableFuture<?> join(byte[] key) {
        CompletableFuture<Void> turn = turns.join(key);
        if (watching.compareAndSet(false, true)) {
            lookAfter(interval);
        }
        return turn;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private void lookAfter(Duration pause) {
        try {
            timer.schedule(this::look, pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            watching.set(false);
        }
    }

    private void look() {
        List<byte[]> wanted = turns.wanted();
        if (wanted.isEmpty()) {
            watching.set(false);
            if (!turns.wanted().isEmpty() && watching.compareAndSet(false, true)) {
                lookAfter(interval);
            }
            return;
        }
        lane.submit("looking for free locks", session -> tellWho(session, wanted))
                .whenComplete((seen, failure) ->
                        lookAfter(failure == null ? interval : interval.multipliedBy(PAUSE_AFTER_FAILURE)));
    }

    private boolean tellWho(Session session, List<byte[]> wanted) throws SQLException {
        for (int from = 0; from < wanted.size(); from += BATCH) {
            List<byte[]> batch = wanted.subList(from, Math.min(wanted.size(), from + BATCH));
            Map<ByteBuffer, LeaseRow> rows = read(session, batch);
            for (byte[] key : batch) {
                LeaseRow row = rows.get(ByteBuffer.wrap(key));
                if (row == null) {
                    turns.free(key, 0);
                } else if (!row.isHeld()) {
                    turns.free(key, row.fence());
                }
            }
        }
        return true;
    }

    private Map<ByteBuffer, LeaseRow> read(Session session, List<byte[]> keys) throws SQLException {
        int slots = Parameters.slots(keys.size());
        PreparedStatement read = session.prepare(leases.table(session)
                .sql("SELECT token, fence, expires_at - {now}, key_hash FROM {table} WHERE key_hash IN ("
                        + Parameters.list(slots) + ")"));
        for (int i = 0; i < slots; i++) {
            read.setBytes(i + 1, keys.get(Math.min(i, keys.size() - 1)));
        }
        Map<ByteBuffer, LeaseRow> found = new HashMap<>();
        try (ResultSet rows = read.executeQuery()) {
            for (LeaseRow row = LeaseTable.row(rows); row != null; row = LeaseTable.row(rows)) {
                found.put(ByteBuffer.wrap(rows.getBytes(4)), row);
            }
        }
        return found;
    }
}
