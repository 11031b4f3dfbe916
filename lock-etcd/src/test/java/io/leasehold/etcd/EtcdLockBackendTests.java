package io.leasehold.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.KVGrpc;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** etcd, one member. */
class EtcdLockBackendTests extends EtcdContract {

    EtcdLockBackendTests() {
        super(SharedEtcd.endpoint());
    }

    /** Uses the shortest lease that this etcd grants, one second. */
    @Override
    public Duration shortTtl() {
        return Duration.ofMillis(500);
    }

    @Test
    void aLockCostsTheSameRequestsWithAName() {
        Instance named = new Instance(7, "orders@host-1:11");
        try (TransactionProxy proxy = new TransactionProxy(SharedEtcd.endpoint());
                LockBackend backend = new EtcdLockBackend(
                        EtcdOptions.of(proxy.endpoint()), System::nanoTime, InstantSource.system())) {
            StoreClient store = new StoreClient(backend, "named");
            // the first lock also connects and requests the etcd lease that the next ones use again
            store.release(store.grantTo(named, store.id("first"), LONG));
            Map<String, Integer> without = requestsOfLocks(proxy, store, () -> store.grant("without"));
            assertThat(without).containsKey(KVGrpc.getTxnMethod().getFullMethodName());
            assertThat(requestsOfLocks(proxy, store, () -> store.grantTo(named, store.id("with"), LONG)))
                    .isEqualTo(without);
        }
    }

    private static Map<String, Integer> requestsOfLocks(
            TransactionProxy proxy, StoreClient store, Supplier<Held> grant) {
        proxy.countRequests();
        for (int i = 0; i < 5; i++) {
            Held held = grant.get();
            store.renew(held, LONG);
            store.release(held);
        }
        return proxy.requests();
    }
}
