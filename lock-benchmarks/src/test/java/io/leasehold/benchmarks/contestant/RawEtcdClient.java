package io.leasehold.benchmarks.contestant;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseRevokeResponse;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A lock by hand through the stubs: a lease, a transaction that puts a key on the lease if the key is missing, and the
 * end of the lease, which removes the key. It cannot wait and renews nothing.
 */
final class RawEtcdClient implements LockClient {

    private final KVGrpc.KVStub keys;

    private final LeaseGrpc.LeaseStub leases;

    private final LeaseGrantRequest grant;

    RawEtcdClient(URI server, Duration ttl) {
        ManagedChannel channel = Grpc.newChannelBuilder(server.getAuthority(), InsecureChannelCredentials.create())
                .directExecutor()
                .build();
        keys = KVGrpc.newStub(channel);
        leases = LeaseGrpc.newStub(channel);
        grant = LeaseGrantRequest.newBuilder().setTTL(ttl.toSeconds()).build();
    }

    @Override
    public Hold acquire(String key) throws Exception {
        long lease = RawEtcdClient.<LeaseGrantResponse>answer(reply -> leases.leaseGrant(grant, reply))
                .getID();
        TxnRequest put = putIfAbsent(ByteString.copyFromUtf8("raw/" + key), lease);
        if (!RawEtcdClient.<TxnResponse>answer(reply -> keys.txn(put, reply)).getSucceeded()) {
            throw new IllegalStateException("'" + key + "' is locked, and the raw client does not wait");
        }
        LeaseRevokeRequest end = LeaseRevokeRequest.newBuilder().setID(lease).build();
        return () -> RawEtcdClient.<LeaseRevokeResponse>answer(reply -> leases.leaseRevoke(end, reply));
    }

    private static TxnRequest putIfAbsent(ByteString key, long lease) {
        return TxnRequest.newBuilder()
                .addCompare(Compare.newBuilder()
                        .setKey(key)
                        .setTarget(Compare.CompareTarget.CREATE)
                        .setCreateRevision(0))
                .addSuccess(RequestOp.newBuilder()
                        .setRequestPut(PutRequest.newBuilder().setKey(key).setLease(lease)))
                .build();
    }

    private static <T> T answer(Consumer<StreamObserver<T>> request) throws Exception {
        CompletableFuture<T> answer = new CompletableFuture<>();
        request.accept(new StreamObserver<>() {
            @Override
            public void onNext(T value) {
                answer.complete(value);
            }

            @Override
            public void onError(Throwable ex) {
                answer.completeExceptionally(ex);
            }

            @Override
            public void onCompleted() {}
        });
        return answer.get();
    }
}
