package io.leasehold.backend.etcd;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.util.concurrent.CompletableFuture;

/**
 * What all operations of a backend share.
 *
 * @param client sends the requests
 * @param leases the leases at hand
 * @param claims the keys that this backend has put
 * @param keyPrefix the beginning of all keys
 */
record Etcd(EtcdClient client, LeasePool leases, Claims claims, String keyPrefix) {

    LineKey place(LockId id, Token token) {
        return LineKey.of(keyPrefix, id, token);
    }

    CompletableFuture<TxnResponse> txn(CallScope scope, TxnRequest request) {
        return client.call(scope, KVGrpc.getTxnMethod(), request);
    }
}
