package io.leasehold.jdbc;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.LockableRow;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.jdbc.row.RowLocks;
import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Drivers that replace the session of a connection without an error. The new session has the server's settings. */
class ReconnectingDriverTests {

    private static final String DATABASE = "reconnecting";

    /** After this time HikariCP validates an idle connection, which lets a driver reconnect. */
    private static final int UNTIL_VALIDATED_MILLIS = 700;

    private static final int QUERIES_ON_OTHER_HOST = 60;

    enum Driver {
        MARIADB_SEQUENTIAL("jdbc:mariadb:sequential://127.0.0.1:%1$d,127.0.0.1:%1$d/" + DATABASE + "?user=root"),
        MYSQL_AUTO_RECONNECT("jdbc:mysql://127.0.0.1:%d/" + DATABASE
                + "?user=root&sslMode=DISABLED&autoReconnect=true&autoReconnectForPools=true");

        private final String url;

        Driver(String url) {
            this.url = url;
        }

        UrlDataSource dataSource() {
            return new UrlDataSource(url.formatted(MariaDbServer.shared().port()));
        }
    }

    @BeforeAll
    static void createDatabase() {
        server().execute("CREATE DATABASE IF NOT EXISTS " + DATABASE);
    }

    @ParameterizedTest
    @EnumSource
    void aNewSessionWaitsForRowsNoLongerThanTheFirst(Driver driver) throws SQLException {
        try (JdbcLockBackend backend =
                JdbcLockBackend.withOwnPool(driver.dataSource(), new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            client.release(client.grant("a"));
            List<Long> killed = killSessions();
            assertThat(killed).isNotEmpty();
            await().pollDelay(UNTIL_VALIDATED_MILLIS, MILLISECONDS)
                    .untilAsserted(() -> assertThat(sessions()).doesNotContainAnyElementsOf(killed));
            assertWaitIsLimited(client);
        }
    }

    /** MySQL's driver goes back to the first host after some queries, once that answers again. */
    @Test
    void theSessionOnAnotherHostWaitsForRowsNoLongerThanTheFirst() throws SQLException {
        int port = MariaDbServer.shared().port();
        try (FaultProxy proxy = new FaultProxy(port)) {
            proxy.set(FaultMode.REFUSE);
            String url = "jdbc:mysql://127.0.0.1:" + proxy.port() + ",127.0.0.1:" + port + "/" + DATABASE
                    + "?user=root&sslMode=DISABLED&failOverReadOnly=false";
            try (HikariDataSource source = new HikariDataSource();
                    JdbcLockBackend backend =
                            JdbcLockBackend.withOwnPool(to(source, url), new JdbcLockOptions(), System::nanoTime)) {
                backend.initializeSchema();
                StoreClient client = TestDatabase.client(backend);
                client.release(client.grant("a"));
                proxy.pass();
                for (int i = 0; i < QUERIES_ON_OTHER_HOST; i++) {
                    client.release(client.grant("b"));
                }
                assertWaitIsLimited(client);
            }
        }
    }

    /** The driver would repeat the statement that locked the row, and not look at its result. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDriverThatReplaysTransactionsHoldsNoRowLock(boolean inUrl) throws SQLException {
        String advice = "remove 'transactionReplay=true' from the URL";
        try (HikariDataSource source = new HikariDataSource()) {
            source.setJdbcUrl(Driver.MARIADB_SEQUENTIAL.dataSource().url() + (inUrl ? "&transactionReplay=true" : ""));
            if (!inUrl) {
                source.addDataSourceProperty("transactionReplay", "true");
            }
            try (RowLockBackend backend = RowLockBackend.withOwnPool(source, new RowLockOptions(), System::nanoTime)) {
                backend.initializeSchema();
                StoreClient client = TestDatabase.client(backend);
                assertRefused(
                        () -> backend.acquire(
                                        new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false))
                                .toCompletableFuture()
                                .join(),
                        advice);
            }
            RowLocks locks = new RowLocks(source);
            assertRefused(
                    () -> locks.inTransaction(new LockableRow("lock_row", "lock_key", "a"), Duration.ZERO, work -> 1),
                    advice);
        }
    }

    private static void assertRefused(ThrowingCallable call, String advice) {
        Throwable thrown = Assertions.catchThrowable(call);
        assertThat(thrown instanceof CompletionException ? thrown.getCause() : thrown)
                .isInstanceOfSatisfying(
                        BackendFailure.class, ex -> assertThat(ex.effect()).isEqualTo(Effect.REFUSED))
                .hasMessageContaining(advice);
    }

    private static void assertWaitIsLimited(StoreClient client) throws SQLException {
        LockId id = client.id("a");
        try (Connection outside = Driver.MARIADB_SEQUENTIAL.dataSource().getConnection();
                Statement statement = outside.createStatement()) {
            outside.setAutoCommit(false);
            statement.execute("SELECT 1 FROM lock_lease WHERE lock_key = '" + id.encoded() + "' FOR UPDATE");
            Throwable failure = Assertions.catchThrowable(() -> client.backend()
                    .acquire(new AcquireCommand(id, client.token(), StoreClient.LONG, 1, false))
                    .toCompletableFuture()
                    .join());
            assertThat(failure)
                    .cause()
                    .isInstanceOfSatisfying(
                            BackendFailure.class, ex -> assertThat(ex.effect()).isEqualTo(Effect.NOT_DONE))
                    .hasMessageContaining("another transaction has the row locked");
        }
    }

    /** Returns the ids of the sessions that it has ended. */
    private static List<Long> killSessions() throws SQLException {
        List<Long> sessions = sessions();
        for (long session : sessions) {
            server().execute("KILL " + session);
        }
        return sessions;
    }

    private static List<Long> sessions() throws SQLException {
        try (Connection connection = server().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT id FROM information_schema.processlist WHERE db = '" + DATABASE + "'")) {
            List<Long> sessions = new ArrayList<>();
            while (rows.next()) {
                sessions.add(rows.getLong(1));
            }
            return sessions;
        }
    }

    private static HikariDataSource to(HikariDataSource source, String url) {
        source.setJdbcUrl(url);
        return source;
    }

    private static UrlDataSource server() {
        return new UrlDataSource(MariaDbServer.shared().url());
    }
}
