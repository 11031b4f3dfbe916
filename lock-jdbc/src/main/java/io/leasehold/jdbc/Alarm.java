package io.leasehold.jdbc;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Does something at the earliest of the times that it was set to, and then not again before it is set anew. */
final class Alarm implements AutoCloseable {

    private final ScheduledThreadPoolExecutor timer;

    private final LongSupplier nanoTime;

    private final Runnable what;

    private @Nullable ScheduledFuture<?> next;

    private long nextAt;

    /** An alarm whose thread, with the given name, is there only while it is set. */
    Alarm(String thread, LongSupplier nanoTime, Runnable what) {
        this.nanoTime = nanoTime;
        this.what = what;
        timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread created = new Thread(work, thread);
            created.setDaemon(true);
            return created;
        });
        timer.setKeepAliveTime(10, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        timer.setRemoveOnCancelPolicy(true);
    }

    synchronized void setTo(Duration fromNow) {
        long at = nanoTime.getAsLong() + fromNow.toNanos();
        ScheduledFuture<?> set = next;
        if (set != null && nextAt - at <= 0) {
            return;
        }
        if (set != null) {
            set.cancel(false);
        }
        try {
            next = timer.schedule(this::ring, fromNow.toNanos(), TimeUnit.NANOSECONDS);
            nextAt = at;
        } catch (RejectedExecutionException closed) {
            next = null;
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private void ring() {
        synchronized (this) {
            next = null;
        }
        what.run();
    }
}
