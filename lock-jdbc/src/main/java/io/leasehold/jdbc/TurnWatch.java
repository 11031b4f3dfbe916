package io.leasehold.jdbc;

import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks, as long as somebody waits, which of the wanted locks are free: one plain read for all of them, which locks
 * nothing. Where the database tells of releases, see {@link Notices}, it looks at a slower pace, for leases that expire
 * and messages that get lost.
 */
final class TurnWatch implements AutoCloseable {

    private static final int BATCH = 512;

    private static final int PAUSE_AFTER_FAILURE = 20;

    private static final int PAUSE_WHERE_TOLD = 10;

    private static final Duration LONGEST_WHERE_TOLD = Duration.ofMillis(500);

    private final Duration interval;

    private final Duration intervalWhereTold;

    private final Lane lane;

    private final Leases leases;

    private final Turns turns;

    private final Notices notices;

    private final Alarm alarm;

    private final AtomicBoolean looking = new AtomicBoolean();

    TurnWatch(Duration interval, Lane lane, Leases leases, Turns turns, Notices notices, LongSupplier nanoTime) {
        this.interval = interval;
        this.intervalWhereTold = longer(interval, shorter(interval.multipliedBy(PAUSE_WHERE_TOLD), LONGEST_WHERE_TOLD));
        this.lane = lane;
        this.leases = leases;
        this.turns = turns;
        this.notices = notices;
        this.alarm = new Alarm("leasehold-jdbc-turns", nanoTime, this::look);
    }

    /** Whether anybody is told at all. */
    boolean isOn() {
        return !interval.isZero();
    }

    /** Whether it is worth asking the database to tell of releases. */
    boolean hears() {
        return isOn() && notices.hears();
    }

    /** A turn that ends when the lock that a row stands for was released or seen free. */
    CompletableFuture<?> join(byte[] key, LeaseRow busy, Dialect dialect) {
        CompletableFuture<Void> turn = turns.join(key);
        if (dialect.tellsOfReleases()) {
            notices.want();
        }
        alarm.setTo(busy.tells() && notices.hears() ? intervalWhereTold : interval);
        return turn;
    }

    @Override
    public void close() {
        alarm.close();
        notices.close();
    }

    private void look() {
        List<byte[]> wanted = turns.wanted();
        if (wanted.isEmpty()) {
            return;
        }
        if (!looking.compareAndSet(false, true)) {
            alarm.setTo(interval);
            return;
        }
        lane.submit("looking for free locks", session -> look(session, wanted)).whenComplete((pause, failure) -> {
            looking.set(false);
            alarm.setTo(failure == null ? pause : interval.multipliedBy(PAUSE_AFTER_FAILURE));
        });
    }

    /** Looks once; says how long it may take to the next time. */
    private Duration look(Session session, List<byte[]> wanted) throws SQLException {
        Duration pause = intervalWhereTold;
        if (session.dialect().tellsOfReleases()) {
            notices.want();
        }
        for (int from = 0; from < wanted.size(); from += BATCH) {
            List<byte[]> batch = wanted.subList(from, Math.min(wanted.size(), from + BATCH));
            if (notices.hears()) {
                leases.table(session).askToBeTold(session, batch);
            }
            Map<ByteBuffer, LeaseRow> rows = read(session, batch);
            for (byte[] key : batch) {
                LeaseRow row = rows.get(ByteBuffer.wrap(key));
                if (row == null) {
                    turns.free(key, 0);
                } else if (!row.isHeld()) {
                    turns.free(key, row.fence());
                }
                pause = shorter(pause, pauseAfter(row));
            }
        }
        return pause;
    }

    private Duration pauseAfter(@Nullable LeaseRow row) {
        return row != null && row.isHeld() && row.tells() && notices.hears() ? row.remaining() : interval;
    }

    private Map<ByteBuffer, LeaseRow> read(Session session, List<byte[]> keys) throws SQLException {
        int slots = Parameters.slots(keys.size());
        PreparedStatement read = session.prepare(leases.table(session)
                .sql("SELECT " + LeaseTable.WATCHED + ", key_hash FROM {table} WHERE key_hash IN ("
                        + Parameters.list(slots) + ")"));
        Parameters.bind(read, 1, slots, keys);
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
}
