package io.leasehold.testsupport;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Clocks that a test moves by hand, and tasks that run on the thread that moves them, in the order of their time.
 * Subclasses adapt it to the types of the library, which this module cannot see. The tests of {@code lock-core} use it,
 * since the test kit depends on that module.
 */
public abstract class ManualTime {

    private static final int MOST_AT_ONCE = 1_000;

    private static final int MOST_READINGS = 100_000;

    private final PriorityQueue<Entry> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));

    private long nanos = 1_000_000_000_000L;

    private long wallMillis = 1_700_000_000_000L;

    private long number;

    private long lastRunAt;

    private int readings;

    /** The monotonic clock. */
    public synchronized long nanos() {
        if (++readings > MOST_READINGS) {
            throw new IllegalStateException("the clock was read " + readings + " times since it was moved");
        }
        return nanos;
    }

    /** The time of day. */
    public synchronized long wallMillis() {
        return wallMillis;
    }

    /** Schedules a task after a delay. Running the result cancels it. */
    protected final synchronized Runnable add(Runnable task, long delayNanos) {
        Entry entry = new Entry(nanos + Math.max(0, delayNanos), number++, task, new AtomicBoolean());
        tasks.add(entry);
        return () -> entry.cancelled().set(true);
    }

    /** Advances the time and runs the tasks that become due. */
    public final void pass(Duration time) {
        long end = nanos() + time.toNanos();
        int atOnce = 0;
        for (Entry next = due(end); next != null; next = due(end)) {
            atOnce = next.at() == lastRunAt ? atOnce + 1 : 0;
            lastRunAt = next.at();
            if (atOnce > MOST_AT_ONCE) {
                throw new IllegalStateException("time stands still: there is always another task at " + next.at());
            }
            next.task().run();
        }
        moveTo(end);
    }

    /** Advances the time without running tasks, like a pause of the whole process. */
    public final void freeze(Duration time) {
        moveTo(nanos() + time.toNanos());
    }

    /** Moves the time of day alone, like a suspended machine or a clock correction. */
    public final synchronized void moveWall(Duration time) {
        wallMillis += time.toMillis();
    }

    /** The number of tasks that have neither run nor been cancelled. */
    public final synchronized long scheduled() {
        return tasks.stream().filter(entry -> !entry.cancelled().get()).count();
    }

    /** The time of the next task, or never if there is none. */
    public final synchronized long nextAt() {
        return tasks.stream()
                .filter(entry -> !entry.cancelled().get())
                .mapToLong(Entry::at)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private synchronized @Nullable Entry due(long end) {
        while (!tasks.isEmpty() && tasks.peek().cancelled().get()) {
            tasks.remove();
        }
        Entry next = tasks.peek();
        if (next == null || next.at() > end) {
            return null;
        }
        tasks.remove();
        moveTo(Math.max(nanos, next.at()));
        return next;
    }

    private synchronized void moveTo(long to) {
        wallMillis += TimeUnit.NANOSECONDS.toMillis(to) - TimeUnit.NANOSECONDS.toMillis(nanos);
        nanos = to;
        readings = 0;
    }

    private record Entry(long at, long number, Runnable task, AtomicBoolean cancelled) {}
}
