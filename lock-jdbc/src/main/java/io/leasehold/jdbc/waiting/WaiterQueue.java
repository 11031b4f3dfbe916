package io.leasehold.jdbc.waiting;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of this process, queued per lock. When a lock is seen free, the longest waiter is notified. No other
 * waiter is notified until the lock has been granted again, which its fencing tokens show.
 */
public final class WaiterQueue {

    private static final long NOT_SEEN = -1;

    private final Map<ByteBuffer, Line> lines = new HashMap<>();

    /** Joins the queue of the lock with a row key. */
    synchronized CompletableFuture<Void> join(byte[] key) {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        lines.computeIfAbsent(ByteBuffer.wrap(key), lock -> new Line()).waiting.add(turn);
        return turn;
    }

    /** The row keys of the locks that still have waiters. */
    synchronized List<byte[]> wanted() {
        lines.values().removeIf(Line::isOver);
        return lines.keySet().stream().map(ByteBuffer::array).toList();
    }

    /**
     * Notifies one waiter that a lock is free, once for each grant that ended: the poller and the listener may both
     * report its end.
     *
     * @param fence the fencing token of the grant that ended
     */
    public void free(byte[] key, long fence) {
        CompletableFuture<Void> next = next(ByteBuffer.wrap(key), fence);
        if (next != null) {
            // Completed outside the monitor, because dependents of the future run on this thread.
            next.complete(null);
        }
    }

    private synchronized @Nullable CompletableFuture<Void> next(ByteBuffer key, long fence) {
        Line line = lines.get(key);
        if (line == null || line.isOver() || line.toldOf == fence) {
            return null;
        }
        line.toldOf = fence;
        return line.waiting.poll();
    }

    private static final class Line {

        private final Deque<CompletableFuture<Void>> waiting = new ArrayDeque<>();

        private long toldOf = NOT_SEEN;

        private boolean isOver() {
            waiting.removeIf(CompletableFuture::isDone);
            return waiting.isEmpty();
        }
    }
}
