package io.leasehold.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeRequest.SortOrder;
import io.etcd.jetcd.api.RangeRequest.SortTarget;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that change or read a queue. None is serializable in etcd's sense, which is a read of the state that
 * this member happens to know; all are linearizable.
 */
final class EtcdTransactions {

    private EtcdTransactions() {}

    /**
     * Puts a key into an empty queue. If the queue is not empty, the responses are the token's own key, if it exists,
     * and the first key of the queue.
     */
    static TxnRequest enter(QueueKey queueKey, EtcdLease lease, ByteString holder) {
        return TxnRequest.newBuilder()
                .addCompare(created(queueKey.first(), 0).setRangeEnd(queueKey.end()))
                .addSuccess(put(queueKey, lease, holder))
                .addFailure(op(get(queueKey.own())))
                .addFailure(op(oldest(queueKey)))
                .build();
    }

    /**
     * Puts a key into a queue. The responses after the first one are the token's own key, the first key of the queue,
     * and the last two keys of the queue, last one first.
     */
    static TxnRequest enqueue(QueueKey queueKey, EtcdLease lease, ByteString holder) {
        return TxnRequest.newBuilder()
                .addSuccess(put(queueKey, lease, holder))
                .addSuccess(op(get(queueKey.own())))
                .addSuccess(op(oldest(queueKey)))
                .addSuccess(op(newest(queueKey).setLimit(2)))
                .build();
    }

    /**
     * Attaches a key to a lease if it is still the one that was put, is not revoked, and no key in its queue is older.
     * If not, the responses are the token's own key, the first key of the queue, and the last of the older keys.
     */
    static TxnRequest ask(QueueEntry entry, EtcdLease lease, ByteString holder) {
        QueueKey queueKey = entry.queueKey();
        long before = entry.revision() - 1;
        return TxnRequest.newBuilder()
                .addCompare(created(queueKey.own(), entry.revision()))
                .addCompare(neitherReleasedNorRevoked(queueKey))
                .addCompare(created(queueKey.first(), before)
                        .setRangeEnd(queueKey.end())
                        .setResult(Compare.CompareResult.GREATER))
                .addSuccess(put(queueKey, lease, holder))
                .addFailure(op(get(queueKey.own())))
                .addFailure(op(oldest(queueKey)))
                .addFailure(op(newest(queueKey).setMaxCreateRevision(before).setLimit(1)))
                .build();
    }

    /** Reads the token's own key and the first key of its queue. */
    static TxnRequest find(QueueKey queueKey) {
        return TxnRequest.newBuilder()
                .addSuccess(op(get(queueKey.own())))
                .addSuccess(op(oldest(queueKey)))
                .build();
    }

    /** Reads the first key of a queue, and the number of its keys. */
    static TxnRequest first(QueueKey queueKey) {
        return TxnRequest.newBuilder().addSuccess(op(oldest(queueKey))).build();
    }

    /** Reads keys of a range in their order. */
    static TxnRequest range(ByteString first, ByteString end, int limit) {
        return TxnRequest.newBuilder()
                .addSuccess(op(
                        RangeRequest.newBuilder().setKey(first).setRangeEnd(end).setLimit(limit)))
                .build();
    }

    /** Reads several keys. */
    static TxnRequest read(List<ByteString> keys) {
        TxnRequest.Builder request = TxnRequest.newBuilder();
        keys.forEach(key -> request.addSuccess(op(get(key))));
        return request.build();
    }

    /**
     * Attaches a key to another lease, with another value, if it is still the one that was put, and is neither released
     * nor revoked. If not, the response is the key, if it exists.
     */
    static TxnRequest keep(QueueKey queueKey, long revision, EtcdLease lease, ByteString holder) {
        return TxnRequest.newBuilder()
                .addCompare(created(queueKey.own(), revision))
                .addCompare(neitherReleasedNorRevoked(queueKey))
                .addSuccess(put(queueKey, lease, holder))
                .addFailure(op(get(queueKey.own())))
                .build();
    }

    /**
     * Attaches a key to another lease, with another value, if the key was not written since it was read. If it was, the
     * response is the key, if it exists.
     */
    static TxnRequest keep(QueueKey queueKey, KeyValue read, EtcdLease lease, ByteString holder) {
        return TxnRequest.newBuilder()
                .addCompare(unwritten(read))
                .addSuccess(put(queueKey, lease, holder))
                .addFailure(op(get(queueKey.own())))
                .build();
    }

    /** Attaches a key to another lease if the key was not written since it was read. */
    static TxnRequest move(KeyValue read, EtcdLease lease) {
        return TxnRequest.newBuilder()
                .addCompare(unwritten(read))
                .addSuccess(put(PutRequest.newBuilder()
                        .setKey(read.getKey())
                        .setLease(lease.id())
                        .setIgnoreValue(true)))
                .build();
    }

    /** Gives a key another value if the key was not written since it was read. */
    static TxnRequest mark(KeyValue read, ByteString holder) {
        return TxnRequest.newBuilder()
                .addCompare(unwritten(read))
                .addSuccess(put(PutRequest.newBuilder()
                        .setKey(read.getKey())
                        .setIgnoreLease(true)
                        .setValue(holder)))
                .build();
    }

    /** Deletes a key if it was not written since it was read. */
    static TxnRequest delete(KeyValue read) {
        return TxnRequest.newBuilder()
                .addCompare(unwritten(read))
                .addSuccess(delete(read.getKey()))
                .build();
    }

    /** Deletes a key if it is still the one that was put. */
    static TxnRequest leave(QueueKey queueKey, long revision) {
        return TxnRequest.newBuilder()
                .addCompare(created(queueKey.own(), revision))
                .addSuccess(delete(queueKey.own()))
                .build();
    }

    private static Compare.Builder unwritten(KeyValue read) {
        return Compare.newBuilder()
                .setKey(read.getKey())
                .setTarget(Compare.CompareTarget.MOD)
                .setResult(Compare.CompareResult.EQUAL)
                .setModRevision(read.getModRevision());
    }

    private static Compare.Builder created(ByteString key, long revision) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.CREATE)
                .setResult(Compare.CompareResult.EQUAL)
                .setCreateRevision(revision);
    }

    private static Compare.Builder neitherReleasedNorRevoked(QueueKey queueKey) {
        return Compare.newBuilder()
                .setKey(queueKey.own())
                .setTarget(Compare.CompareTarget.VALUE)
                .setResult(Compare.CompareResult.LESS)
                .setValue(EtcdHolder.AFTER_HELD);
    }

    private static RequestOp put(QueueKey queueKey, EtcdLease lease, ByteString holder) {
        return put(PutRequest.newBuilder()
                .setKey(queueKey.own())
                .setLease(lease.id())
                .setValue(holder));
    }

    private static RequestOp put(PutRequest.Builder put) {
        return RequestOp.newBuilder().setRequestPut(put).build();
    }

    private static RequestOp delete(ByteString key) {
        return RequestOp.newBuilder()
                .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
                .build();
    }

    private static RangeRequest.Builder get(ByteString key) {
        return RangeRequest.newBuilder().setKey(key);
    }

    private static RangeRequest.Builder oldest(QueueKey queueKey) {
        return inOrder(queueKey, SortOrder.ASCEND).setLimit(1);
    }

    private static RangeRequest.Builder newest(QueueKey queueKey) {
        return inOrder(queueKey, SortOrder.DESCEND);
    }

    private static RangeRequest.Builder inOrder(QueueKey queueKey, SortOrder order) {
        return RangeRequest.newBuilder()
                .setKey(queueKey.first())
                .setRangeEnd(queueKey.end())
                .setSortTarget(SortTarget.CREATE)
                .setSortOrder(order);
    }

    private static RequestOp op(RangeRequest.Builder range) {
        return RequestOp.newBuilder().setRequestRange(range).build();
    }

    static List<KeyValue> all(TxnResponse response, int step) {
        return response.getResponses(step).getResponseRange().getKvsList();
    }

    static @Nullable KeyValue first(TxnResponse response, int step) {
        List<KeyValue> found = all(response, step);
        return found.isEmpty() ? null : found.get(0);
    }
}
