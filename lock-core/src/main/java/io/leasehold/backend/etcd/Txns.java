package io.leasehold.backend.etcd;

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
import java.util.List;

/**
 * The transactions that change or read a line. None is serializable in etcd's sense of the word (reading what this member
 * happens to know), so all are linearizable.
 */
final class Txns {

    private Txns() {}

    /** Puts a key into an empty line. If it is not empty, the answers are: the own key if there is one, the first. */
    static TxnRequest enter(LineKey place, EtcdLease lease) {
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
    static TxnRequest lineUp(LineKey place, EtcdLease lease) {
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
    static TxnRequest ask(Claim claim, EtcdLease lease) {
        LineKey place = claim.place();
        long before = claim.revision() - 1;
        return TxnRequest.newBuilder()
                .addCompare(created(place.own(), claim.revision()))
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
    static TxnRequest find(LineKey place) {
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
    static TxnRequest keep(LineKey place, long revision, EtcdLease lease) {
        return TxnRequest.newBuilder()
                .addCompare(created(place.own(), revision))
                .addSuccess(put(place, lease))
                .build();
    }

    /** If nobody has written a key since it was read, hangs it on another lease. */
    static TxnRequest move(LineKey place, KeyValue read, EtcdLease lease) {
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
    static TxnRequest leave(LineKey place, long revision) {
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

    private static RequestOp put(LineKey place, EtcdLease lease) {
        return RequestOp.newBuilder()
                .setRequestPut(PutRequest.newBuilder().setKey(place.own()).setLease(lease.id()))
                .build();
    }

    private static RangeRequest.Builder get(ByteString key) {
        return RangeRequest.newBuilder().setKey(key);
    }

    private static RangeRequest.Builder oldest(LineKey place) {
        return inOrder(place, SortOrder.ASCEND).setLimit(1);
    }

    private static RangeRequest.Builder newest(LineKey place) {
        return inOrder(place, SortOrder.DESCEND);
    }

    private static RangeRequest.Builder inOrder(LineKey place, SortOrder order) {
        return RangeRequest.newBuilder()
                .setKey(place.first())
                .setRangeEnd(place.end())
                .setSortTarget(SortTarget.CREATE)
                .setSortOrder(order);
    }

    private static RequestOp op(RangeRequest.Builder range) {
        return RequestOp.newBuilder().setRequestRange(range).build();
    }
}
