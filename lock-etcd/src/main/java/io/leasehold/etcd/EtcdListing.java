package io.leasehold.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.leasehold.LockListing;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.spi.LockId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Lists the locks of a namespace: one read of a limited range of keys, and the remaining time of each lock's lease. The
 * oldest key of a queue is that of the holder.
 */
final class EtcdListing {

    /** Each lock costs a question about its lease. */
    private static final int MOST_LOCKS = 1_000;

    /** A key and its value have at most 800 bytes, and an answer has at most 4 MB. */
    private static final int MOST_KEYS = 4_000;

    private static final String QUEUE = "%/";

    private final EtcdResources etcd;

    private final CancellationScope scope;

    EtcdListing(EtcdResources etcd, CancellationScope scope) {
        this.etcd = etcd;
        this.scope = scope;
    }

    CompletableFuture<LockListing> run(String namespace, int limit) {
        String prefix = etcd.keyPrefix() + namespace;
        ByteString first = ByteString.copyFromUtf8(prefix + ':');
        ByteString end = ByteString.copyFromUtf8(prefix + ';');
        return etcd.txn(scope, EtcdTransactions.range(first, end, MOST_KEYS))
                .thenCompose(response -> listing(response.getResponses(0).getResponseRange(), limit));
    }

    private CompletableFuture<LockListing> listing(RangeResponse range, int limit) {
        Map<String, List<KeyValue>> queues = new LinkedHashMap<>();
        String last = "";
        for (KeyValue key : range.getKvsList()) {
            String text = key.getKey().toStringUtf8().substring(etcd.keyPrefix().length());
            int end = text.lastIndexOf(QUEUE);
            if (end > 0) {
                last = text.substring(0, end);
                queues.computeIfAbsent(last, id -> new ArrayList<>()).add(key);
            }
        }
        if (range.getMore()) {
            // the rest of its queue was not read, and the holder's key may be there
            queues.remove(last);
        }
        int most = Math.min(limit, MOST_LOCKS);
        List<CompletableFuture<LockListing.Entry>> locks = new ArrayList<>();
        queues.entrySet().stream().limit(most).forEach(queue -> locks.add(entry(queue.getKey(), queue.getValue())));
        boolean complete = !range.getMore() && queues.size() <= most;
        return CompletableFuture.allOf(locks.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> new LockListing(
                        locks.stream().map(CompletableFuture::join).toList(),
                        complete ? null : "more than " + locks.size() + " locks are held"));
    }

    private CompletableFuture<LockListing.Entry> entry(String encoded, List<KeyValue> queue) {
        KeyValue holder = queue.stream()
                .min(Comparator.comparingLong(KeyValue::getCreateRevision))
                .orElseThrow();
        return new EtcdDescription(etcd, scope)
                .remaining(holder, queue.size() - 1)
                .thenApply(held -> new LockListing.Entry(LockId.key(encoded), held));
    }
}
