package io.leasehold.etcd;

import static io.leasehold.contract.StoreClient.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.etcd.EtcdCluster;
import io.leasehold.spi.RenewAnswer;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that limits the streams of a connection, as proxies also do. */
@Tag("slow")
class EtcdStreamLimitTests {

    private static final int STREAMS = 10;

    private final EtcdCluster cluster = EtcdCluster.start(1, "--max-concurrent-streams=" + STREAMS);

    private final EtcdLockBackend backend = newBackend();

    private final EtcdLockBackend other = newBackend();

    @AfterEach
    void close() {
        backend.close();
        other.close();
        cluster.close();
    }

    /** Each waiting caller has a stream of its own, which ends with its wait. */
    @Test
    void waitingCallersDelayNoRenewal() {
        StoreClient store = new StoreClient(backend, "s");
        StoreClient holder = new StoreClient(other, "s");
        Held held = store.grant("held");
        for (int i = 0; i < 2 * STREAMS; i++) {
            store.waitFor(holder.grant("busy-" + i).id());
        }
        assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
        store.release(held);
        store.grant("held");
    }

    private EtcdLockBackend newBackend() {
        return new EtcdLockBackend(EtcdOptions.of(cluster.endpoints()), System::nanoTime, InstantSource.system());
    }
}
