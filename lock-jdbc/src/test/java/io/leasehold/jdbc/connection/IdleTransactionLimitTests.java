package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jdbc.UrlDataSource;
import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The limit as the server has it. */
class IdleTransactionLimitTests {

    private static final Duration MONTH = Duration.ofDays(30);

    @Test
    void theServerEndsAnIdleTransactionAfterTheLimit() throws SQLException {
        assertThat(limitInPostgres(Duration.ofSeconds(30))).isEqualTo("30s");
        assertThat(limitInMariaDb(Duration.ofMillis(30_001))).isEqualTo("31");
    }

    /** PostgreSQL counts the milliseconds of 24.8 days at most. A shorter limit would end a lock before its holder. */
    @Test
    void theServerDoesNotEndATransactionBeforeALimitOfAMonth() throws SQLException {
        assertThat(limitInPostgres(MONTH)).isEqualTo("0");
        assertThat(limitInMariaDb(MONTH)).isEqualTo(String.valueOf(MONTH.toSeconds()));
    }

    private static String limitInPostgres(Duration limit) throws SQLException {
        return limitIn(
                PostgresServer.shared().url(),
                DatabaseDialect.POSTGRESQL,
                limit,
                "SELECT current_setting('idle_in_transaction_session_timeout')");
    }

    private static String limitInMariaDb(Duration limit) throws SQLException {
        return limitIn(
                MariaDbServer.shared().url(), DatabaseDialect.MARIADB, limit, "SELECT @@idle_transaction_timeout");
    }

    private static String limitIn(String url, DatabaseDialect dialect, Duration limit, String question)
            throws SQLException {
        try (Connection connection = new UrlDataSource(url).getConnection()) {
            connection.setAutoCommit(false);
            IdleTransactionLimit.set(
                    new LockConnection(connection, dialect, Duration.ofSeconds(20), 0, evicted -> {}), limit);
            try (Statement statement = connection.createStatement();
                    ResultSet answer = statement.executeQuery(question)) {
                answer.next();
                return answer.getString(1);
            }
        }
    }
}
