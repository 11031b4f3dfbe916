package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.jdbc.PlainDataSource;
import io.leasehold.jdbc.UrlDataSource;
import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** F40: a connection that does not answer after it was opened. The application's pool has set no timeout on it. */
class LockConnectionsTests {

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);

    @Test
    void theFirstStatementsInPostgresWaitNoLongerThanTheOthers() {
        PostgresServer server = PostgresServer.shared();
        try (FaultProxy proxy = new FaultProxy(server.port())) {
            assertThatSettingUpEnds(proxy, new UrlDataSource(server.url(proxy.port())));
        }
    }

    @Test
    void theFirstStatementsInMariaDbWaitNoLongerThanTheOthers() {
        MariaDbServer server = MariaDbServer.shared();
        try (FaultProxy proxy = new FaultProxy(server.port())) {
            assertThatSettingUpEnds(proxy, new UrlDataSource(server.url(proxy.port())));
        }
    }

    /** Otherwise the pool lends the dead connection again, because it does not check one that was just returned. */
    @Test
    void aFailedConnectionLeavesAPoolThatTheApplicationHasDecorated() throws SQLException {
        try (HikariDataSource pool =
                LockDataSource.over(new UrlDataSource("jdbc:h2:mem:decorated;DB_CLOSE_DELAY=-1"), "decorated", 1)) {
            LockConnections connections = new LockConnections(decorated(pool), COMMAND_TIMEOUT, COMMAND_TIMEOUT);
            LockConnection failed = await().ignoreExceptions().until(connections::open, Objects::nonNull);
            Connection physical = failed.connection().unwrap(Connection.class);
            failed.discard();
            try (LockConnection next = await().ignoreExceptions().until(connections::open, Objects::nonNull)) {
                assertThat(next.connection().unwrap(Connection.class)).isNotSameAs(physical);
            }
        }
    }

    private static DataSource decorated(DataSource pool) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(pool, arguments);
                    } catch (InvocationTargetException ex) {
                        throw ex.getCause();
                    }
                });
    }

    private static void assertThatSettingUpEnds(FaultProxy proxy, UrlDataSource database) {
        LockConnections connections =
                new LockConnections(new StallingAfterwards(proxy, database), COMMAND_TIMEOUT, COMMAND_TIMEOUT);
        CompletableFuture<LockConnection> opened = new CompletableFuture<>();
        Thread opening = new Thread(() -> {
            try {
                opened.complete(connections.open());
            } catch (SQLException | RuntimeException ex) {
                opened.completeExceptionally(ex);
            }
        });
        opening.start();
        assertThat(opened)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withCauseInstanceOf(SQLException.class);
    }

    private static final class StallingAfterwards extends PlainDataSource {

        private final FaultProxy proxy;

        private final UrlDataSource database;

        private StallingAfterwards(FaultProxy proxy, UrlDataSource database) {
            this.proxy = proxy;
            this.database = database;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = database.getConnection();
            connection.setAutoCommit(false);
            proxy.set(FaultMode.STALL_REPLIES);
            return connection;
        }
    }
}
