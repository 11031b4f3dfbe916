package io.leasehold.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.etcd.client.EtcdClient;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/**
 * Resources that all operations of a backend share.
 *
 * @param entries the keys that this backend has put
 * @param wallClock the clock for the times that people read
 */
record EtcdResources(
        EtcdClient client, LeasePool leases, QueueEntries entries, String keyPrefix, InstantSource wallClock) {

    /** The value of a key that is put now for a token. */
    ByteString holder(Token token) {
        return EtcdHolder.held(token, wallClock);
    }

    /** Stands for a whole queue, of which no token is meant. */
    QueueKey queueOf(LockId id) {
        return queueKey(id, new Token(0, 0));
    }

    QueueKey queueKey(LockId id, Token token) {
        return QueueKey.of(keyPrefix, id, token);
    }

    /** Forgets a key, and revokes its lease, which deletes it. */
    void drop(QueueEntry entry) {
        if (entries.remove(entry)) {
            leases.revoke(entry.lease());
        }
    }

    CompletableFuture<TxnResponse> txn(CancellationScope scope, TxnRequest request) {
        return client.call(scope, KVGrpc.getTxnMethod(), request);
    }

    /** A transaction that attaches a key to a lease. The lease is kept alive in parallel unless it runs for the ttl. */
    CompletableFuture<TxnResponse> txn(CancellationScope scope, EtcdLease lease, Duration ttl, TxnRequest request) {
        return leases.with(scope, lease, ttl, txn(scope, request));
    }

    /** How long the lease of a key still runs, in whole seconds; negative if the lease does not exist. */
    CompletableFuture<LeaseTimeToLiveResponse> timeToLive(CancellationScope scope, KeyValue key) {
        LeaseTimeToLiveRequest request =
                LeaseTimeToLiveRequest.newBuilder().setID(key.getLease()).build();
        return client.call(scope, LeaseGrpc.getLeaseTimeToLiveMethod(), request);
    }
}
