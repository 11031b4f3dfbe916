package io.leasehold.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.etcd.client.EtcdClient;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.testsupport.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The ids of leases. */
class LeasePoolTests {

    private static final Duration LONGER_THAN_A_REVOCATION = Duration.ofMillis(300);

    private final EtcdClient client =
            new EtcdClient(List.of(SharedEtcd.endpoint()), null, null, null, System::nanoTime);

    @AfterEach
    void close() {
        client.close();
    }

    /** As of processes that are restored from one checkpoint, if their random numbers continue in the same way. */
    @Test
    void aLeaseOfAnotherProcessIsNotRevokedForItsId() throws Exception {
        long seed = Seeds.next("leases");
        LeasePool one = new LeasePool(client, new Random(seed));
        EtcdLease lease = call(scope -> one.grant(scope, 60));
        LeasePool other = new LeasePool(client, new Random(seed));
        assertThatThrownBy(() -> call(scope -> other.grant(scope, 60))).hasMessageContaining("lease already exists");
        await().during(LONGER_THAN_A_REVOCATION).until(() -> call(scope -> one.keepAlive(scope, lease)) == lease);
    }

    private static EtcdLease call(Function<CancellationScope, CompletableFuture<EtcdLease>> operation)
            throws Exception {
        return CancellationScope.run(operation, unwanted -> {}).get(30, SECONDS);
    }
}
