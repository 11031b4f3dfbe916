package io.leasehold.redlock;

import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A clock and timer that a test moves by hand; tasks run on the thread that moves it. */
final class VirtualTimer implements Scheduler, LongSupplier {

    private final PriorityQueue<Entry> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));

    private long nanos = 1_000_000_000_000L;

    private long number;

    @Override
    public synchronized Scheduler.Task schedule(Runnable task, long delayNanos) {
        Entry entry = new Entry(nanos + Math.max(0, delayNanos), number++, task);
        tasks.add(entry);
        return () -> cancel(entry);
    }

    @Override
    public synchronized long getAsLong() {
        return nanos;
    }

    void pass(Duration time) {
        long end = getAsLong() + time.toNanos();
        for (Entry next = due(end); next != null; next = due(end)) {
            next.task().run();
        }
        moveTo(end);
    }

    private synchronized void cancel(Entry task) {
        tasks.remove(task);
    }

    private synchronized @Nullable Entry due(long end) {
        Entry next = tasks.peek();
        if (next == null || next.at() > end) {
            return null;
        }
        tasks.remove(next);
        nanos = Math.max(nanos, next.at());
        return next;
    }

    private synchronized void moveTo(long to) {
        nanos = to;
    }

    private record Entry(long at, long number, Runnable task) {}
}
