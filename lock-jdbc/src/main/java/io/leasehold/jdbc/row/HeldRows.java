package io.leasehold.jdbc.row;

import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import io.leasehold.support.DaemonThreads;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The rows that this process has locked. Releases each one that was not renewed for its ttl. */
final class HeldRows implements AutoCloseable {

    private static final long PAUSE_WITHOUT_THREAD = TimeUnit.SECONDS.toNanos(1);

    private final Map<LeaseKey, Watch> rows = new ConcurrentHashMap<>();

    private final int most;

    private final Executor endings;

    private final ScheduledThreadPoolExecutor timer;

    HeldRows(int most, Executor endings) {
        this.most = most;
        this.endings = endings;
        timer = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("leasehold-rows-expiry"));
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Fails if as many locks are held as the limit allows. */
    void requireRoom(LockId id) {
        if (rows.size() >= most) {
            throw full(id, rows.size(), "was not tried");
        }
    }

    /** Adds a row, or fails as {@link #requireRoom} does. The caller then unlocks the row. */
    void add(AcquireCommand command, HeldRow row) {
        Watch watch = new Watch(new LeaseKey(command.id(), command.token()), row);
        synchronized (this) {
            // Counted again: several acquisitions may have found room for the last lock.
            if (rows.size() >= most) {
                throw full(command.id(), rows.size(), "was given up");
            }
            rows.put(watch.key, watch);
        }
        watch.begin();
    }

    /** The number of rows whose deadline is watched. */
    int watched() {
        return timer.getQueue().size();
    }

    private static BackendFailure full(LockId id, int held, String outcome) {
        return new BackendFailure(
                Effect.NOT_DONE,
                "this process holds " + held + " row locks already, as many as it may, each on a connection"
                        + " of its own; '" + id + "' " + outcome + ". Raise 'maxLocks' and the pool with it, or keep"
                        + " these locks in the lease table",
                null);
    }

    @Nullable
    HeldRow find(LockId id, Token token) {
        Watch watch = rows.get(new LeaseKey(id, token));
        return watch == null ? null : watch.row;
    }

    /** Removes a row from its token; if it is kept, it stays without a token for a while. */
    void remove(LockId id, Token token, HeldRow row, boolean kept) {
        if (kept) {
            // Added before the old entry is removed, so that close() finds the row at any time.
            Watch ownerless = new Watch(new LeaseKey(id, null), row);
            rows.put(ownerless.key, ownerless);
            ownerless.begin();
        }
        Watch watch = rows.get(new LeaseKey(id, token));
        if (watch != null && watch.row == row) {
            watch.end();
        }
    }

    /** Releases all rows, together: on a silent network, each waits for an answer until the command timeout. */
    void endAll() {
        CompletableFuture<?>[] ended = rows.values().stream().map(this::ending).toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(ended).join();
    }

    private CompletableFuture<Void> ending(Watch watch) {
        try {
            return CompletableFuture.runAsync(watch::endRow, endings);
        } catch (Throwable ex) {
            // no thread could be started: a close that takes longer is better than a row that stays locked
            watch.endRow();
            return CompletableFuture.completedFuture(null);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        endAll();
    }

    /** A row and its next check, which is due at its deadline. */
    private final class Watch {

        private final LeaseKey key;

        private final HeldRow row;

        private volatile @Nullable Future<?> check;

        Watch(LeaseKey key, HeldRow row) {
            this.key = key;
            this.row = row;
        }

        /** Begins to watch the row. It has been added before: a row that is not found here is not checked again. */
        void begin() {
            checkAfter(Math.max(1, row.nanosToDeadline()));
        }

        /** Ends the watch, whose check would otherwise keep the row and its connection in memory until the deadline. */
        void end() {
            rows.remove(key, this);
            Future<?> next = check;
            if (next != null) {
                next.cancel(false);
            }
        }

        void endRow() {
            row.end();
            end();
        }

        private void checkAfter(long nanos) {
            try {
                Future<?> next = timer.schedule(this::checkOnThread, nanos, TimeUnit.NANOSECONDS);
                check = next;
                // read after the check is known: end() may have missed it
                if (rows.get(key) != this) {
                    next.cancel(false);
                }
            } catch (RejectedExecutionException closed) {
                row.end();
            }
        }

        private void checkOnThread() {
            try {
                endings.execute(this::check);
            } catch (Throwable ex) {
                // no thread could be started: without another attempt the row would stay locked
                checkAfter(PAUSE_WITHOUT_THREAD);
            }
        }

        private void check() {
            if (row.nanosToDeadline() <= 0) {
                endRow();
            } else if (rows.get(key) == this) {
                begin();
            }
        }
    }

    private record LeaseKey(LockId id, @Nullable Token token) {}
}
