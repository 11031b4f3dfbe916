package io.leasehold.faults;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;

/**
 * Records how long the threads of this process had to wait for a processor. On a busy machine, this time is part of
 * every measured time.
 */
final class Stalls implements AutoCloseable {

    private static final long PACE = 2_000_000;

    private static final long WORTH_NOTING = 5_000_000;

    private static final int MOST = 10_000;

    private final ConcurrentLinkedDeque<Stall> stalls = new ConcurrentLinkedDeque<>();

    private volatile boolean closed;

    Stalls() {
        Thread thread = new Thread(this::watch, "stalls");
        thread.setDaemon(true);
        thread.start();
    }

    /** The longest wait since a moment, by {@link System#nanoTime()}. */
    Duration longestSince(long moment) {
        return Duration.ofNanos(stalls.stream()
                .filter(stall -> stall.until() - moment > 0)
                .mapToLong(Stall::nanos)
                .max()
                .orElse(0));
    }

    @Override
    public void close() {
        closed = true;
    }

    private void watch() {
        while (!closed) {
            long before = System.nanoTime();
            LockSupport.parkNanos(PACE);
            long now = System.nanoTime();
            if (now - before - PACE > WORTH_NOTING) {
                stalls.add(new Stall(now, now - before - PACE));
                if (stalls.size() > MOST) {
                    stalls.poll();
                }
            }
        }
    }

    private record Stall(long until, long nanos) {}
}
