package io.leasehold.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.EtcdCluster;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** rules.md F20: an etcd that grants no lease shorter than five seconds. */
class EtcdShortestLeaseTests {

    /** The lease would expire after 5 s. */
    private static final Duration REVOKED_NOT_EXPIRED = Duration.ofSeconds(4);

    private static EtcdCluster cluster;

    private final EtcdLockBackend backend =
            new EtcdLockBackend(EtcdOptions.of(cluster.endpoints()), System::nanoTime, InstantSource.system());

    private final StoreClient store = new StoreClient(backend, "f20");

    @BeforeAll
    static void start() {
        cluster = EtcdCluster.start(1, "--election-timeout=3000");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void close() {
        backend.close();
    }

    @Test
    void aShorterTtlIsRefusedAndLeavesNothing() {
        AcquireCommand command = new AcquireCommand(store.id("a"), store.token(), Duration.ofSeconds(3), 1, false);
        List<Long> before = leases();
        assertThatThrownBy(() -> backend.acquire(command).toCompletableFuture().get(10, SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        BackendFailure.class,
                        failure -> assertThat(failure.effect()).isEqualTo(Effect.REFUSED))
                .hasMessageContainingAll("'ttl'", "PT3S", "5 s", "--election-timeout");
        try (EtcdAdmin admin = cluster.admin()) {
            assertThat(admin.keys()).isEmpty();
            await().atMost(REVOKED_NOT_EXPIRED).until(() -> before.containsAll(admin.leases()));
        }
    }

    private static List<Long> leases() {
        try (EtcdAdmin admin = cluster.admin()) {
            return admin.leases();
        }
    }

    @Test
    void aLongerTtlIsGrantedAndWaitedFor() {
        Held held = store.grant(store.id("b"), Duration.ofSeconds(5));
        store.giveUp(store.waitFor(held.id()));
        store.release(held);
    }

    @Test
    void theInspectionReportsItAtStart() {
        assertThat(StoreClient.await(backend.inspect()))
                .extracting(SafetyFinding::toString)
                .anySatisfy(finding -> assertThat(finding).contains("shortest lease", "5 s"));
    }
}
