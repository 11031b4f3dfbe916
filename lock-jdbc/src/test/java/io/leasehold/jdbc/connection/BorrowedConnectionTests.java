package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jdbc.TestDatabase;
import io.leasehold.jdbc.UnclosedDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changed settings of a connection are restored before it returns to the application. */
class BorrowedConnectionTests {

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void settingsAreAsBefore(TestDatabase database) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            DatabaseDialect dialect = DatabaseDialect.of(connection);
            SessionSettings before = SessionSettings.of(connection, dialect);
            connection.setAutoCommit(false);

            UnclosedDataSource dataSource = new UnclosedDataSource(connection);
            LockConnection session = LockConnection.borrow(dataSource, Duration.ofSeconds(7), Duration.ofSeconds(9));
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(SessionSettings.of(connection, dialect)).isNotEqualTo(before);
            session.close();

            assertThat(connection.getAutoCommit()).isFalse();
            connection.setAutoCommit(true);
            assertThat(SessionSettings.of(connection, dialect)).isEqualTo(before);
        }
    }
}
