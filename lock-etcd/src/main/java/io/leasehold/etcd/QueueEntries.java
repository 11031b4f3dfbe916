package io.leasehold.etcd;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys that this backend has in etcd. This is only a cache: a missing entry is looked up in etcd. An entry that was
 * not released is removed some time after its lease has expired.
 *
 * <p>Only the caller that removes or replaces an entry decides about its lease, so no lease is returned twice.
 */
final class QueueEntries {

    private static final int SWEEP_EVERY = 4_096;

    private final Map<ByteString, QueueEntry> entries = new ConcurrentHashMap<>();

    /** The ends of the lease replacements in progress. */
    private final Map<ByteString, CompletableFuture<Void>> replacements = new ConcurrentHashMap<>();

    private final AtomicInteger puts = new AtomicInteger();

    private final LongSupplier clock;

    QueueEntries(LongSupplier clock) {
        this.clock = clock;
    }

    @Nullable
    QueueEntry get(QueueKey queueKey) {
        return entries.get(queueKey.own());
    }

    void put(QueueEntry entry) {
        entries.put(entry.queueKey().own(), entry);
        sweep();
    }

    /** Adds an entry unless the key has one. */
    boolean add(QueueEntry entry) {
        return entries.putIfAbsent(entry.queueKey().own(), entry) == null;
    }

    boolean replace(QueueEntry entry, QueueEntry other) {
        return entries.replace(entry.queueKey().own(), entry, other);
    }

    private void sweep() {
        if (puts.incrementAndGet() % SWEEP_EVERY == 0) {
            long now = clock.getAsLong();
            entries.values().removeIf(old -> old.lease().remaining(now).isNegative());
        }
    }

    @Nullable
    QueueEntry remove(QueueKey queueKey) {
        return entries.remove(queueKey.own());
    }

    boolean remove(QueueEntry entry) {
        return entries.remove(entry.queueKey().own(), entry);
    }

    /** Begins a replacement unless the lease of the key is being replaced. If so, returns the end of that. */
    @Nullable
    CompletableFuture<Void> beginReplacement(QueueKey queueKey, CompletableFuture<Void> ended) {
        return replacements.putIfAbsent(queueKey.own(), ended);
    }

    void endReplacement(QueueKey queueKey, CompletableFuture<Void> ended) {
        replacements.remove(queueKey.own(), ended);
        ended.complete(null);
    }

    /** Removes and returns the entries of waiters. */
    List<QueueEntry> takeWaiting() {
        return entries.values().stream()
                .filter(entry -> !entry.granted() && remove(entry))
                .toList();
    }
}
