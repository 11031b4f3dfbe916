package io.leasehold.jdbc.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.AnsweringDataSource;
import io.leasehold.jdbc.UrlDataSource;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.Instance;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The holder of a row lock in PostgreSQL, as another process reads it. */
class RowLockHoldersTests {

    private static final RowLockOptions OPTIONS = new RowLockOptions().withTable("row_held");

    private static final String WAITING = "SELECT count(*) FROM pg_stat_activity"
            + " WHERE wait_event_type = 'Lock' AND query LIKE '%row\\_held\\_fence%'";

    private final UrlDataSource database =
            new UrlDataSource(PostgresServer.shared().url());

    private final RowLockBackend here = RowLockBackend.withOwnPool(database, OPTIONS, System::nanoTime);

    private final RowLockBackend there = RowLockBackend.withOwnPool(database, OPTIONS, System::nanoTime);

    private final String namespace = "h-" + UUID.randomUUID();

    private final StoreClient holder = new StoreClient(here, namespace);

    private final StoreClient reader = new StoreClient(there, namespace);

    @BeforeEach
    void createTables() {
        here.initializeSchema();
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    @Test
    void aLockWhoseProcessHasEndedIsFreeBeforeItsTtl() {
        holder.grantTo(new Instance(1, "orders@host:1"), holder.id("a"), StoreClient.LONG);
        assertThat(reader.describe(reader.id("a")))
                .isInstanceOfSatisfying(
                        Held.class, held -> assertThat(held.holder()).isEqualTo("orders@host:1"));
        assertThat(reader.list(10).locks())
                .singleElement()
                .satisfies(lock -> assertThat(lock.state().holder()).isEqualTo("orders@host:1"));
        here.close();
        await().atMost(Duration.ofSeconds(20)).until(() -> reader.describe(reader.id("a")) instanceof LockState.Free);
        assertThat(reader.list(10).locks()).isEmpty();
        reader.grant("a");
    }

    @Test
    void aRowThatAnotherClientHasLockedHasAHolderWithoutAName() throws SQLException {
        holder.release(holder.grantTo(new Instance(1, "orders@host:1"), holder.id("a"), StoreClient.LONG));
        try (Connection other = database.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeQuery("SELECT * FROM row_held WHERE lock_key = '" + namespace + ":a' FOR UPDATE");
            assertThat(reader.describe(reader.id("a"))).isInstanceOfSatisfying(Held.class, held -> {
                assertThat(held.holder()).isNull();
                assertThat(held.fencingToken()).isEmpty();
            });
            other.rollback();
        }
        assertThat(reader.describe(reader.id("a"))).isInstanceOf(LockState.Free.class);
    }

    @Test
    void aReleaseIsRecordedWhileAnotherAcquisitionWaitsForTheRowOfItsFencingTokens() throws SQLException {
        holder.release(holder.grant("b"));
        io.leasehold.contract.Held held = holder.grant("a");
        try (Connection other = database.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeQuery("SELECT * FROM row_held_fence WHERE lock_key = '" + namespace + ":b' FOR UPDATE");
            // it waits for a second, and one connection reserves the tokens of all locks
            CompletionStage<?> waiting =
                    here.acquire(new AcquireCommand(holder.id("b"), holder.token(), StoreClient.LONG, 1, false));
            await().until(() ->
                    waiting.toCompletableFuture().isDone() || first(WAITING).equals("1"));
            holder.release(held);
            assertThat(first("SELECT token FROM row_held_fence WHERE lock_key = '" + namespace + ":a'"))
                    .startsWith("-");
            other.rollback();
            await().until(() -> waiting.toCompletableFuture().isDone());
        }
    }

    /** Behind a pooler, the default of the role or the database stays in effect for the session. */
    @Test
    void aReleaseIsRecordedBehindAPoolerWithAnotherDefaultOfTheIsolationLevel() throws SQLException {
        AnsweringDataSource pooled = new AnsweringDataSource(
                new UrlDataSource(
                        PostgresServer.shared().url() + "&options=-c%20default_transaction_isolation=serializable"),
                "SELECT pg_backend_pid()",
                "SELECT 0");
        try (RowLockBackend backend = RowLockBackend.withOwnPool(pooled, OPTIONS, System::nanoTime)) {
            StoreClient client = new StoreClient(backend, namespace);
            client.release(client.grant("a"));
        }
        assertThat(first("SELECT token FROM row_held_fence WHERE lock_key = '" + namespace + ":a'"))
                .startsWith("-");
    }

    @Test
    void aRepeatedReleaseIsAnsweredWhenTheRowHasEnded() throws SQLException {
        io.leasehold.contract.Held held = holder.grant("a");
        try (Connection other = database.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeQuery("SELECT * FROM row_held_fence WHERE lock_key = '" + namespace + ":a' FOR UPDATE");
            ReleaseCommand release = new ReleaseCommand(held.id(), held.token());
            CompletionStage<ReleaseAnswer> first = here.release(release);
            CompletionStage<ReleaseAnswer> second = here.release(release);
            assertThat(StoreClient.await(second)).isEqualTo(ReleaseAnswer.RELEASED);
            assertThat(StoreClient.await(first)).isEqualTo(ReleaseAnswer.RELEASED);
            other.rollback();
        }
    }

    private String first(String query) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
