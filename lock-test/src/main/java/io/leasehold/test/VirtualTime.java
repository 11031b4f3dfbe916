package io.leasehold.test;

import io.leasehold.support.Parker;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The clocks, the timer and the waits of an engine in a test. Time stands still until a test or a waiting caller moves
 * it. Due tasks run on the thread that moves it, one at a time and in the order of their time.
 *
 * <p>A thread that waits only for time to pass moves the clock itself, from one task to the next. Every other waiting
 * thread blocks until it is unparked, or until another thread moves the clock.
 */
final class VirtualTime implements Ticker, Scheduler, Parker, Executor {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int MOST_AT_ONCE = 10_000;

    /** The latest time of all clocks of this JVM, in milliseconds since 1970. */
    private static final AtomicLong LATEST = new AtomicLong(1_767_225_600_000L);

    /** More than the number of fencing tokens in nanoseconds that a clock grants while it stands still. */
    private static final long BETWEEN_CLOCKS = TimeUnit.SECONDS.toMillis(1);

    private final PriorityQueue<Entry> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));

    private final ReentrantLock turn = new ReentrantLock();

    private final Queue<Runnable> callbacks = new ConcurrentLinkedQueue<>();

    private final Set<Thread> unparked = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** The threads that wait for time to pass, and move the clock meanwhile. */
    private final Set<Thread> moving = ConcurrentHashMap.newKeySet();

    private final Waits waits;

    private long nanos = TimeUnit.HOURS.toNanos(1);

    /** Begins after all other clocks: fencing tokens are times, and rise from one test to the next. */
    private long wallMillis = LATEST.addAndGet(BETWEEN_CLOCKS);

    private long number;

    private long lastRunAt;

    private int atOnce;

    /**
     * Creates a clock.
     *
     * @param waits knows whether only time ends the wait of a thread
     */
    VirtualTime(Waits waits) {
        this.waits = waits;
    }

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    @Override
    public synchronized long wallMillis() {
        return wallMillis;
    }

    @Override
    public synchronized Task schedule(Runnable task, long delayNanos) {
        Entry entry = new Entry(nanos + Math.max(0, delayNanos), number++, task, new AtomicBoolean());
        tasks.add(entry);
        return () -> entry.cancelled().set(true);
    }

    @Override
    public void park(Object blocker, long nanos) {
        Thread thread = Thread.currentThread();
        if (unparked.remove(thread)) {
            return;
        }
        if (!waits.waitsForTime(moving::contains)) {
            // a thread that moves the clock does not unpark this one, so it looks at the clock repeatedly
            LockSupport.parkNanos(blocker, Math.min(nanos, POLL_NANOS));
            return;
        }
        long end = nanos() + nanos;
        moving.add(thread);
        try {
            while (nanos() - end < 0 && !thread.isInterrupted() && !unparked.remove(thread)) {
                step(end);
            }
        } finally {
            moving.remove(thread);
        }
    }

    @Override
    public void unpark(Thread thread) {
        unparked.add(thread);
        LockSupport.unpark(thread);
    }

    /** Runs code of the application on this thread: immediately, or after the task that causes it. */
    @Override
    public void execute(Runnable callback) {
        if (turn.isHeldByCurrentThread()) {
            callbacks.add(callback);
        } else {
            callback.run();
        }
    }

    /** The tasks of other engines on this clock remain. */
    @Override
    public void close() {}

    /** Lets time pass, and runs the tasks that become due. */
    void pass(Duration time) {
        long end = nanos() + time.toNanos();
        do {
            step(end);
        } while (nanos() - end < 0 || isDue(end));
    }

    /** Lets time pass without running anything, as a pause of the whole process does. */
    void freeze(Duration time) {
        moveTo(nanos() + time.toNanos());
    }

    /** Runs the next task that is due by the given time, or moves the clock to that time. */
    private void step(long end) {
        turn.lock();
        try {
            Entry next = next(end);
            if (next != null) {
                next.task().run();
            }
        } finally {
            turn.unlock();
        }
        for (Runnable callback = callbacks.poll(); callback != null; callback = callbacks.poll()) {
            callback.run();
        }
    }

    private synchronized boolean isDue(long end) {
        dropCancelled();
        Entry next = tasks.peek();
        return next != null && next.at() <= end;
    }

    private synchronized @Nullable Entry next(long end) {
        dropCancelled();
        Entry next = tasks.peek();
        if (next == null || next.at() > end) {
            moveTo(Math.max(nanos, end));
            return null;
        }
        tasks.remove();
        atOnce = next.at() == lastRunAt ? atOnce + 1 : 0;
        lastRunAt = next.at();
        if (atOnce > MOST_AT_ONCE) {
            throw new IllegalStateException("the test's clock does not get past " + next.at()
                    + " ns: a task schedules another one for the same time again and again");
        }
        moveTo(Math.max(nanos, next.at()));
        return next;
    }

    private synchronized void dropCancelled() {
        while (!tasks.isEmpty() && tasks.peek().cancelled().get()) {
            tasks.remove();
        }
    }

    private synchronized void moveTo(long to) {
        wallMillis += TimeUnit.NANOSECONDS.toMillis(to) - TimeUnit.NANOSECONDS.toMillis(nanos);
        nanos = to;
        LATEST.accumulateAndGet(wallMillis, Math::max);
    }

    private record Entry(long at, long number, Runnable task, AtomicBoolean cancelled) {}
}
