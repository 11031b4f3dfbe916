package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Failovers of PostgreSQL to a synchronous standby, behind an address that leads to the present primary. */
class PostgresFailoverTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final PostgresServer primary =
            PostgresServer.start(Map.of("synchronous_commit", "on", "synchronous_standby_names", "*"));

    private final PostgresServer standby = PostgresServer.startStandbyOf(primary);

    private final FaultProxy address = new FaultProxy(primary.port());

    private final JdbcLockBackend backend = backend(primary.url(address.port()));

    private final StoreClient client = TestDatabase.client(backend);

    @BeforeEach
    void makeTable() {
        backend.initializeSchema();
    }

    @AfterEach
    void close() {
        backend.close();
        address.close();
        standby.close();
        primary.close();
    }

    @Test
    void aHolderKeepsItsLockAndNobodyElseGetsIt() {
        Held held = client.grant("a");
        primary.kill();
        failOver();

        awaitRenewal(held);
        client.busy(client.id("a"));
        assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(client.grant("a").firstFence()).isGreaterThan(held.firstFence());
    }

    /** As after a pause or a partition. Its standby is gone, so that it confirms nothing. */
    @Test
    void aFormerPrimaryThatStillRunsGrantsAndRenewsNothing() {
        Held held = client.grant("a");
        primary.pause();
        failOver();
        awaitRenewal(held);
        primary.resume();

        try (JdbcLockBackend partitioned = backend(primary.url())) {
            StoreClient other = TestDatabase.client(partitioned);
            assertThatThrownBy(() -> other.grant("b")).satisfies(PostgresFailoverTests::isUnknown);
            assertThat(renewal(other, held)).isEqualTo(RenewAnswer.UNKNOWN);
        }
    }

    private void failOver() {
        standby.promote();
        address.redirect(standby.port());
        address.cut();
    }

    /** As the engine does, which repeats a renewal that failed. */
    private void awaitRenewal(Held held) {
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED));
    }

    /** The row may be locked by a renewal that was sent before and is not confirmed either. */
    private static RenewAnswer renewal(StoreClient client, Held held) {
        try {
            return client.renew(held, StoreClient.LONG);
        } catch (AssertionError ex) {
            isUnknown(ex);
            return RenewAnswer.UNKNOWN;
        }
    }

    private static void isUnknown(Throwable failure) {
        assertThat(failure.getCause())
                .isInstanceOfSatisfying(
                        BackendFailure.class,
                        unknown -> assertThat(unknown.effect()).isEqualTo(Effect.UNKNOWN));
    }

    private static JdbcLockBackend backend(String url) {
        return JdbcLockBackend.withOwnPool(new UrlDataSource(url), new JdbcLockOptions(), System::nanoTime);
    }
}
