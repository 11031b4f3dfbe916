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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The rows that this process has locked. Releases each one that was not renewed for its ttl. */
final class HeldRows implements AutoCloseable {

    private static final long PAUSE_WITHOUT_THREAD = TimeUnit.SECONDS.toNanos(1);

    private final Map<LeaseKey, HeldRow> rows = new ConcurrentHashMap<>();

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
        LeaseKey key = new LeaseKey(command.id(), command.token());
        // Added before the timer is set: check() sets it again only for a row that it finds here.
        synchronized (this) {
            // Counted again: several acquisitions may have found room for the last lock.
            if (rows.size() >= most) {
                throw full(command.id(), rows.size(), "was given up");
            }
            rows.put(key, row);
        }
        watch(key, row);
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
        return rows.get(new LeaseKey(id, token));
    }

    /** Removes a row from its token; if it is kept, it stays without a token for a while. */
    void remove(LockId id, Token token, HeldRow row, boolean kept) {
        if (!kept) {
            rows.remove(new LeaseKey(id, token), row);
            return;
        }
        LeaseKey ownerless = new LeaseKey(id, null);
        // Added before the old entry is removed, so that close() finds the row at any time.
        rows.put(ownerless, row);
        rows.remove(new LeaseKey(id, token), row);
        watch(ownerless, row);
    }

    /** Releases all rows, together: on a silent network, each waits for an answer until the command timeout. */
    void endAll() {
        CompletableFuture<?>[] ended = rows.entrySet().stream()
                .map(entry -> ending(entry.getKey(), entry.getValue()))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(ended).join();
    }

    private CompletableFuture<Void> ending(LeaseKey key, HeldRow row) {
        try {
            return CompletableFuture.runAsync(() -> end(key, row), endings);
        } catch (Throwable ex) {
            // no thread could be started: a close that takes longer is better than a row that stays locked
            end(key, row);
            return CompletableFuture.completedFuture(null);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        endAll();
    }

    private void watch(LeaseKey key, HeldRow row) {
        watch(key, row, Math.max(1, row.nanosToDeadline()));
    }

    private void watch(LeaseKey key, HeldRow row, long nanos) {
        try {
            timer.schedule(() -> checkOnThread(key, row), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            row.end();
        }
    }

    private void checkOnThread(LeaseKey key, HeldRow row) {
        try {
            endings.execute(() -> check(key, row));
        } catch (Throwable ex) {
            // no thread could be started: without another attempt the row would stay locked
            watch(key, row, PAUSE_WITHOUT_THREAD);
        }
    }

    private void check(LeaseKey key, HeldRow row) {
        if (row.nanosToDeadline() > 0) {
            if (rows.get(key) == row) {
                watch(key, row);
            }
            return;
        }
        end(key, row);
    }

    private void end(LeaseKey key, HeldRow row) {
        row.end();
        rows.remove(key, row);
    }

    private record LeaseKey(LockId id, @Nullable Token token) {}
}
