package io.leasehold.engine;

import io.leasehold.LockListener;
import io.leasehold.support.Parker;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A clock and scheduler that a test moves by hand: tasks run on the thread that moves it, in the order of their time. */
final class VirtualTime implements Ticker, Scheduler {

    /** A thread that waits looks at the clock every millisecond, since it is a test that moves the clock. */
    private static final Parker PARKER = new Parker() {

        @Override
        public void park(Object blocker, long nanos) {
            LockSupport.parkNanos(blocker, Math.min(nanos, 1_000_000));
        }

        @Override
        public void unpark(Thread thread) {
            LockSupport.unpark(thread);
        }
    };

    private static final int MOST_AT_ONCE = 1_000;

    private static final int MOST_READINGS = 100_000;

    private final PriorityQueue<Entry> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));

    private long nanos = 1_000_000_000_000L;

    private long wallMillis = 1_700_000_000_000L;

    private long number;

    private long lastRunAt;

    private int readings;

    @Override
    public synchronized long nanos() {
        if (++readings > MOST_READINGS) {
            throw new IllegalStateException("somebody reads the clock again and again and waits for nothing");
        }
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

    /** For a locker whose callers wait only if they say so: while the thread of a test waits, nobody moves the clock. */
    static LockerSettings settings(String name) {
        return LockerSettings.of(name).withWaitTime(Duration.ZERO);
    }

    /** An engine on this clock; what would run on threads of its own runs on the thread that causes it. */
    LockEngine engine(LockListener listener) {
        return engine(listener, Runnable::run);
    }

    /** An engine on this clock with another executor for asynchronous calls. */
    LockEngine engine(LockListener listener, Executor async) {
        return engine(listener, this, this, new EngineExecutors(async, Runnable::run, Runnable::run));
    }

    /** An engine on other clocks. */
    static LockEngine engine(LockListener listener, Ticker ticker, Scheduler scheduler, EngineExecutors executors) {
        return new LockEngine(
                listener, ticker, scheduler, PARKER, EngineResources::random, new TokenSource(), executors);
    }

    static EngineExecutors callersThread() {
        return new EngineExecutors(Runnable::run, Runnable::run, Runnable::run);
    }

    /** Lets time pass, running what falls due on the way. */
    void pass(Duration time) {
        long end = nanos() + time.toNanos();
        int atOnce = 0;
        for (Entry next = due(end); next != null; next = due(end)) {
            atOnce = next.at() == lastRunAt ? atOnce + 1 : 0;
            lastRunAt = next.at();
            if (atOnce > MOST_AT_ONCE) {
                throw new IllegalStateException("time stands still: there is always another task at " + next.at());
            }
            if (!next.cancelled().get()) {
                next.task().run();
            }
        }
        moveTo(end);
    }

    /** Lets time pass without running anything, as a pause of the whole process does. */
    void freeze(Duration time) {
        moveTo(nanos() + time.toNanos());
    }

    /** Moves the time of day alone, as a suspended machine or a clock correction does. */
    synchronized void moveWall(Duration time) {
        wallMillis += time.toMillis();
    }

    synchronized long scheduled() {
        return tasks.stream().filter(entry -> !entry.cancelled().get()).count();
    }

    /** When the next task runs; never, if there is none. */
    synchronized long nextAt() {
        return tasks.stream()
                .filter(entry -> !entry.cancelled().get())
                .mapToLong(Entry::at)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private synchronized @Nullable Entry due(long end) {
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
