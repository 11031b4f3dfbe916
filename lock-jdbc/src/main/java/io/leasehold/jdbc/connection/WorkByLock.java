package io.leasehold.jdbc.connection;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The work in progress on each lock, and the work that is queued behind it. Only one piece of work for each lock is in
 * progress at a time. Scans of the table count as work on one lock.
 */
final class WorkByLock<W> {

    private final Map<Object, Deque<W>> queues = new ConcurrentHashMap<>();

    /** Claims the lock for the work. Returns false if other work is in progress; the work is then queued behind it. */
    boolean claim(Object lock, W work) {
        AtomicBoolean free = new AtomicBoolean();
        // atomic with next(): work is either queued before the last one removes the entry, or claims the lock itself
        queues.compute(lock, (id, waiting) -> {
            if (waiting == null) {
                free.set(true);
                return new ArrayDeque<>(2);
            }
            waiting.add(work);
            return waiting;
        });
        return free.get();
    }

    /**
     * Ends the work in progress on a lock. Returns the next, which is in progress from now on, or {@code null} if none is
     * queued.
     */
    @Nullable
    W next(Object lock) {
        AtomicReference<@Nullable W> next = new AtomicReference<>();
        queues.computeIfPresent(lock, (id, waiting) -> {
            next.set(waiting.poll());
            return next.get() == null ? null : waiting;
        });
        return next.get();
    }
}
