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
 * The transactions that change or read a line. None is serializable in etcd's sense of the word (reading what this member
 * happens to know), so all are linearizable.
 */
final class EtcdTransactions {

    private EtcdTransactions() {}

    /** Puts a key into an empty line. If it is not empty, the answers are: the own key if there is one, the first. */
    static TxnRequest enter(QueueKey place, EtcdLease lease) {
        return TxnRequest.newBuilder()
                .addCompare(created(place.first(), 0).setRangeEnd(place.end()))
                .addSuccess(put(place, lease))
                .addFailure(op(get(place.own())))
                .addFailure(op(oldest(place)))
                .build();
    }

    /**
     * Puts a key into a line; the answers after the first are: the own key, the first of the line, the last two of the
     * line from the end.
     */
    static TxnRequest lineUp(QueueKey place, EtcdLease lease) {
        return TxnRequest.newBuilder()
                .addSuccess(put(place, lease))
                .addSuccess(op(get(place.own())))
                .addSuccess(op(oldest(place)))
                .addSuccess(op(newest(place).setLimit(2)))
                .build();
    }

    /**
     * Hangs a key on a lease if it still is the one that was put and none in its line is older. If not, the answers are:
     * the own key if there is one, the first of the line, the last of those before it.
     */
    static TxnRequest ask(QueueEntry entry, EtcdLease lease) {
        QueueKey place = entry.place();
        long before = entry.revision() - 1;
        return TxnRequest.newBuilder()
                .addCompare(created(place.own(), entry.revision()))
                .addCompare(created(place.first(), before)
                        .setRangeEnd(place.end())
                        .setResult(Compare.CompareResult.GREATER))
                .addSuccess(put(place, lease))
                .addFailure(op(get(place.own())))
                .addFailure(op(oldest(place)))
                .addFailure(op(newest(place).setMaxCreateRevision(before).setLimit(1)))
                .build();
    }

    /** Reads the own key and the first of its line. */
    static TxnRequest find(QueueKey place) {
        return TxnRequest.newBuilder()
                .addSuccess(op(get(place.own())))
                .addSuccess(op(oldest(place)))
                .build();
    }

    /** Reads many keys. */
    static TxnRequest read(List<ByteString> keys) {
        TxnRequest.Builder request = TxnRequest.newBuilder();
        keys.forEach(key -> request.addSuccess(op(get(key))));
        return request.build();
    }

    /** If a key is still the one that was put, hangs it on another lease. */
    static TxnRequest keep(QueueKey place, long revision, EtcdLease lease) {
        return TxnRequest.newBuilder()
                .addCompare(created(place.own(), revision))
                .addSuccess(put(place, lease))
                .build();
    }

    /** If nobody has written a key since it was read, hangs it on another lease. */
    static TxnRequest move(QueueKey place, KeyValue read, EtcdLease lease) {
        return TxnRequest.newBuilder()
                .addCompare(Compare.newBuilder()
                        .setKey(place.own())
                        .setTarget(Compare.CompareTarget.MOD)
                        .setResult(Compare.CompareResult.EQUAL)
                        .setModRevision(read.getModRevision()))
                .addSuccess(put(place, lease))
                .build();
    }

    /** If a key is still the one that was put, deletes it. */
    static TxnRequest leave(QueueKey place, long revision) {
        return TxnRequest.newBuilder()
                .addCompare(created(place.own(), revision))
                .addSuccess(RequestOp.newBuilder()
                        .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(place.own())))
                .build();
    }

    private static Compare.Builder created(ByteString key, long revision) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.CREATE)
                .setResult(Compare.CompareResult.EQUAL)
                .setCreateRevision(revision);
    }

    private static RequestOp put(QueueKey place, EtcdLease lease) {
        return RequestOp.newBuilder()
                .setRequestPut(PutRequest.newBuilder().setKey(place.own()).setLease(lease.id()))
                .build();
    }

    private static RangeRequest.Builder get(ByteString key) {
        return RangeRequest.newBuilder().setKey(key);
    }

    private static RangeRequest.Builder oldest(QueueKey place) {
        return inOrder(place, SortOrder.ASCEND).setLimit(1);
    }

    private static RangeRequest.Builder newest(QueueKey place) {
        return inOrder(place, SortOrder.DESCEND);
    }

    private static RangeRequest.Builder inOrder(QueueKey place, SortOrder order) {
        return RangeRequest.newBuilder()
                .setKey(place.first())
                .setRangeEnd(place.end())
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
