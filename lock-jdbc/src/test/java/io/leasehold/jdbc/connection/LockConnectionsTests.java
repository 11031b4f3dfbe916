package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jdbc.PlainDataSource;
import io.leasehold.jdbc.UrlDataSource;
import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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
