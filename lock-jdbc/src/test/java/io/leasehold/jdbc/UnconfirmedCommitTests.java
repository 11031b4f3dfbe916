package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.servers.database.PgBouncer;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/**
 * Commits that no synchronous standby has confirmed: a failover to the standby reverts them. PostgreSQL warns about them
 * if the wait for the standby was cancelled. All its other warnings change nothing.
 */
class UnconfirmedCommitTests {

    private static final String END_WAITS = "SELECT COUNT(%s(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

    private static final String WAITING_FOR_A_STANDBY =
            "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

    @Test
    void aLockWhoseWaitForAStandbyWasCancelledIsNotGranted() {
        isNotGranted("pg_cancel_backend", "synchronous replication");
    }

    /** The client gets no warning, since its connection ends. The row is visible from then on. */
    @Test
    void aLockWhoseSessionEndedWhileItWaitedForAStandbyIsNotGranted() {
        isNotGranted("pg_terminate_backend", "was not answered");
    }

    /** The row is visible to the second one as revoked. After a failover, the holder could renew its lock nevertheless. */
    @Test
    void aForcedReleaseIsNotDoneBeforeAStandbyHasConfirmedIt() {
        try (PostgresServer server = PostgresServer.start(Map.of("synchronous_commit", "on"));
                JdbcLockBackend backend = JdbcLockBackend.withOwnPool(
                        new UrlDataSource(server.url()), new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            UrlDataSource administrator = new UrlDataSource(server.url());
            requireAStandbyThatIsMissing(administrator);
            CompletableFuture<Outcome> first =
                    backend.revoke(held.id(), held.firstFence()).toCompletableFuture();
            await().atMost(Duration.ofSeconds(30))
                    .until(() ->
                            administrator.query(END_WAITS.formatted("pg_terminate_backend")) >= 0 && first.isDone());
            assertThat(first).isCompletedExceptionally();

            CompletableFuture<Outcome> second =
                    backend.revoke(held.id(), held.firstFence()).toCompletableFuture();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> second.isDone() || administrator.query(WAITING_FOR_A_STANDBY) > 0);
            assertThat(second).isNotDone();
            administrator.execute("ALTER SYSTEM RESET synchronous_standby_names");
            administrator.execute("SELECT pg_reload_conf()");
            assertThat(second).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(Outcome.REVOKED);
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.REVOKED);
        }
    }

    /** The release changes nothing that a failover may not revert. The row would stay locked until the standby is back. */
    @Test
    void theReleaseOfARowDoesNotWaitForAStandby() {
        try (PostgresServer server = PostgresServer.start(Map.of("synchronous_commit", "on"));
                RowLockBackend backend = RowLockBackend.withOwnPool(
                        new UrlDataSource(server.url()), new RowLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            UrlDataSource administrator = new UrlDataSource(server.url());
            requireAStandbyThatIsMissing(administrator);
            CompletableFuture<ReleaseAnswer> release =
                    backend.release(new ReleaseCommand(held.id(), held.token())).toCompletableFuture();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> release.isDone() || administrator.query(WAITING_FOR_A_STANDBY) > 0);
            assertThat(release).isCompletedWithValue(ReleaseAnswer.RELEASED);
            assertThat(administrator.query("SELECT COUNT(*) FROM lock_row_fence WHERE token LIKE '-%'"))
                    .isOne();

            // the fencing tokens must survive a failover
            CompletableFuture<AcquireAnswer> next = backend.acquire(
                            new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false))
                    .toCompletableFuture();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> next.isDone() || administrator.query(WAITING_FOR_A_STANDBY) > 0);
            assertThat(next).isNotDone();
            administrator.execute("ALTER SYSTEM RESET synchronous_standby_names");
            administrator.execute("SELECT pg_reload_conf()");
            assertThat(next).succeedsWithin(Duration.ofSeconds(30)).isInstanceOf(AcquireAnswer.Granted.class);
        }
    }

    /** Commits that notify wait for each other: the one that waits for a standby keeps the lock of notifications. */
    @Test
    void aLockIsReleasedWhileAnotherNotificationWaitsForAStandby() {
        try (PostgresServer server = PostgresServer.start(Map.of("synchronous_commit", "local"));
                JdbcLockBackend backend = JdbcLockBackend.withOwnPool(
                        new UrlDataSource(server.url()), new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            UrlDataSource administrator = new UrlDataSource(server.url());
            administrator.execute("UPDATE lock_lease SET told_below = fence + 1");
            requireAStandbyThatIsMissing(administrator);
            CompletableFuture<?> other = CompletableFuture.runAsync(() -> new UrlDataSource(server.url())
                    .execute("SET synchronous_commit = on; CREATE TABLE news (id INT); NOTIFY news"));
            await().atMost(Duration.ofSeconds(30)).until(() -> administrator.query(WAITING_FOR_A_STANDBY) > 0);

            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);

            assertThat(other).isNotDone();
            client.grant("a");
            administrator.execute("ALTER SYSTEM RESET synchronous_standby_names");
            administrator.execute("SELECT pg_reload_conf()");
            assertThat(other).succeedsWithin(Duration.ofSeconds(30));
        }
    }

    @Test
    void warningsAboutOtherThingsKeepNoLockFromBeingGranted() {
        try (PostgresServer server = PostgresServer.start(Map.of());
                PgBouncer between = PgBouncer.start(server, 2)) {
            useLocks(server.url());
            UrlDataSource administrator = new UrlDataSource(server.url());
            administrator.execute("CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS"
                    + " $$BEGIN RAISE WARNING 'audited'; RETURN NEW; END$$");
            administrator.execute("CREATE TRIGGER audit BEFORE INSERT OR UPDATE ON lock_lease"
                    + " FOR EACH ROW EXECUTE FUNCTION audit()");
            useLocks(server.url());
            useLocks(between.url());
        }
    }

    private static void requireAStandbyThatIsMissing(UrlDataSource administrator) {
        administrator.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
        administrator.execute("SELECT pg_reload_conf()");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> administrator.query("SELECT COUNT(*) FROM pg_settings"
                                + " WHERE name = 'synchronous_standby_names' AND setting = 'nobody'")
                        == 1);
    }

    private static void isNotGranted(String endOfWait, String message) {
        try (PostgresServer server = PostgresServer.start(Map.of("synchronous_commit", "on"));
                JdbcLockBackend backend = JdbcLockBackend.withOwnPool(
                        new UrlDataSource(server.url()), new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            Held before = client.grant("before");
            UrlDataSource administrator = new UrlDataSource(server.url());
            requireAStandbyThatIsMissing(administrator);
            CompletableFuture<AcquireAnswer> waiting = backend.acquire(
                            new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false))
                    .toCompletableFuture();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> administrator.query(END_WAITS.formatted(endOfWait)) >= 0 && waiting.isDone());

            assertThatThrownBy(waiting::join)
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN))
                    .hasMessageContaining(message);
            administrator.execute("ALTER SYSTEM RESET synchronous_standby_names");
            administrator.execute("SELECT pg_reload_conf()");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> client.renew(before, StoreClient.LONG) == RenewAnswer.RENEWED);
        }
    }

    private static void useLocks(String url) {
        try (JdbcLockBackend backend =
                JdbcLockBackend.withOwnPool(new UrlDataSource(url), new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        }
    }
}
