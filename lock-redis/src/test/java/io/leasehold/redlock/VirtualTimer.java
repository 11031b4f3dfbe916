package io.leasehold.redlock;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A clock and timer that a test moves by hand; tasks run on the thread that moves it. */
final class VirtualTimer implements Timer, LongSupplier {

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));

    private long nanos = 1_000_000_000_000L;

    private long number;

    @Override
    public synchronized Runnable schedule(Runnable task, long delayNanos) {
        Task entry = new Task(nanos + Math.max(0, delayNanos), number++, task);
        tasks.add(entry);
        return () -> cancel(entry);
    }

    @Override
    public synchronized long getAsLong() {
        return nanos;
    }

    void pass(Duration time) {
        long end = getAsLong() + time.toNanos();
        for (Task next = due(end); next != null; next = due(end)) {
            next.task().run();
        }
        moveTo(end);
    }

    private synchronized void cancel(Task task) {
        tasks.remove(task);
    }

    private synchronized @Nullable Task due(long end) {
        Task next = tasks.peek();
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

    private record Task(long at, long number, Runnable task) {}
}
