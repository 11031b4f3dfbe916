package io.leasehold.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.EtcdCluster;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.net.URI;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A list of endpoints with a member of another cluster. */
class EtcdOtherClusterTests {

    private final FaultProxy proxy =
            new FaultProxy(EtcdCluster.shared().member().port());

    private final EtcdCluster other = EtcdCluster.start(1);

    private final EtcdLockBackend backend = new EtcdLockBackend(
            EtcdOptions.of(
                    URI.create("http://127.0.0.1:" + proxy.port()),
                    other.member().endpoint()),
            System::nanoTime,
            InstantSource.system());

    private final StoreClient store = new StoreClient(backend, "o-" + UUID.randomUUID());

    @AfterEach
    void close() {
        backend.close();
        proxy.close();
        other.close();
    }

    @Test
    void theOtherClusterGrantsNothing() {
        Held held = store.grant("a");
        proxy.set(FaultMode.REFUSE);
        for (int i = 0; i < 6; i++) {
            assertThatThrownBy(() -> acquire("b").get(10, SECONDS)).hasCauseInstanceOf(BackendFailure.class);
        }
        assertThat(store.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.UNKNOWN);
        try (EtcdAdmin admin = other.admin()) {
            assertThat(admin.keys()).isEmpty();
        }
        proxy.pass();
        await().ignoreExceptions().until(() -> acquire("b").get(10, SECONDS) instanceof Granted);
        await().until(() -> store.renew(held, StoreClient.LONG) == RenewAnswer.RENEWED);
    }

    @Test
    void theOtherClusterIsAFinding() {
        store.release(store.grant("a"));
        assertThat(StoreClient.await(backend.inspect()))
                .extracting(SafetyFinding::toString)
                .anySatisfy(finding -> assertThat(finding)
                        .contains(
                                other.member().endpoint().toString(), "another etcd cluster", "'lock.etcd.endpoints'"));
    }

    private CompletableFuture<?> acquire(String key) {
        return backend.acquire(new AcquireCommand(store.id(key), store.token(), StoreClient.LONG, 1, false))
                .toCompletableFuture();
    }
}
