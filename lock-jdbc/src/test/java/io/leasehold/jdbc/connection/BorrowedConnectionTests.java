package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.jdbc.TestDatabase;
import io.leasehold.jdbc.UnclosedDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
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

    /** Otherwise the application's pool never gets it back. */
    @Test
    void anErrorWhileAConnectionIsSetUpEndsTheConnection() throws SQLException {
        List<String> calls = new ArrayList<>();
        try (Connection connection = TestDatabase.H2.dataSource().getConnection()) {
            UnclosedDataSource failing = new UnclosedDataSource(failing(connection, true, calls));
            assertThatExceptionOfType(NoClassDefFoundError.class)
                    .isThrownBy(() -> LockConnection.borrow(failing, Duration.ofSeconds(7), Duration.ofSeconds(9)));
            assertThat(calls).contains("abort");
        }
    }

    /** Otherwise the application gets a connection with the settings of the locks. */
    @Test
    void anErrorWhileSettingsAreRestoredEndsTheConnection() throws SQLException {
        List<String> calls = new ArrayList<>();
        try (Connection connection = TestDatabase.H2.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            UnclosedDataSource failing = new UnclosedDataSource(failing(connection, false, calls));
            LockConnection session = LockConnection.borrow(failing, Duration.ofSeconds(7), Duration.ofSeconds(9));
            assertThatExceptionOfType(NoClassDefFoundError.class).isThrownBy(session::close);
            assertThat(calls).contains("abort");
        }
    }

    /** A connection that cannot set its autocommit mode to a value. */
    private static Connection failing(Connection connection, boolean autoCommit, List<String> calls) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    calls.add(method.getName());
                    if (method.getName().equals("setAutoCommit") && arguments[0].equals(autoCommit)) {
                        throw new NoClassDefFoundError("planted");
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException ex) {
                        throw ex.getCause();
                    }
                });
    }
}
