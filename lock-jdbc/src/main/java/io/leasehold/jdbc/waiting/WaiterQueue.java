package io.leasehold.jdbc.waiting;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of this process, queued per lock. When a lock is seen free, the longest waiter is notified. The next
 * waiter is notified when the lock has been granted again, which its fencing tokens show, or when it is still free after
 * a while: the notified waiter may have given up, or the database may not have received its command.
 */
public final class WaiterQueue {

    /** How long a notified waiter may take to acquire the lock before the next one is notified. */
    static final Duration PASSED_OVER_AFTER = Duration.ofMillis(500);

    private static final long NOT_SEEN = -1;

    private final LongSupplier nanoTime;

    private final Map<ByteBuffer, KeyQueue> queues = new HashMap<>();

    public WaiterQueue(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Joins the queue of the lock with a row key.
     *
     * @param wakeup completed by the notification; a future that is done, because its waiter has given up, is passed over
     */
    synchronized void join(byte[] key, CompletableFuture<Void> wakeup) {
        queues.computeIfAbsent(ByteBuffer.wrap(key), lock -> new KeyQueue())
                .waiting
                .add(wakeup);
    }

    /** The row keys of the locks that still have waiters. */
    synchronized List<byte[]> wanted() {
        queues.values().removeIf(KeyQueue::isOver);
        return queues.keySet().stream().map(ByteBuffer::array).toList();
    }

    /**
     * Notifies one waiter that a lock is free. The poller and the listener may both report the end of a grant, and the
     * poller repeats it while the lock is free.
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
        KeyQueue queue = queues.get(key);
        long now = nanoTime.getAsLong();
        if (queue == null
                || queue.isOver()
                || queue.notifiedOf == fence && now - queue.notifiedAt < PASSED_OVER_AFTER.toNanos()) {
            return null;
        }
        queue.notifiedOf = fence;
        queue.notifiedAt = now;
        return queue.waiting.poll();
    }

    private static final class KeyQueue {

        private final Deque<CompletableFuture<Void>> waiting = new ArrayDeque<>();

        private long notifiedOf = NOT_SEEN;

        private long notifiedAt;

        private boolean isOver() {
            waiting.removeIf(CompletableFuture::isDone);
            return waiting.isEmpty();
        }
    }
}
