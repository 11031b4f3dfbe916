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
 * Who of this process waits for which lock. When a lock is seen free, the one who has waited longest is told, and nobody
 * else before it was granted again, which its fencing tokens show.
 */
public final class WaiterQueue {

    private static final long NOT_SEEN = -1;

    private final Map<ByteBuffer, Line> lines = new HashMap<>();

    /** Joins the line for the lock with a row key. */
    synchronized CompletableFuture<Void> join(byte[] key) {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        lines.computeIfAbsent(ByteBuffer.wrap(key), lock -> new Line()).waiting.add(turn);
        return turn;
    }

    /** The row keys of the locks that somebody still waits for. */
    synchronized List<byte[]> wanted() {
        lines.values().removeIf(Line::isOver);
        return lines.keySet().stream().map(ByteBuffer::array).toList();
    }

    /**
     * Tells one who waits that a lock is free, once for each grant that ended: its end may be both seen and heard of.
     *
     * @param fence the fencing token of that grant
     */
    public void free(byte[] key, long fence) {
        CompletableFuture<Void> next = next(ByteBuffer.wrap(key), fence);
        if (next != null) {
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
