package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.spi.RenewAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The statements on the page for database administrators do what the page says. */
class DatabasePageTests {

    private static final Path PAGE = Path.of("..", "docs", "databases.md");

    private static final Pattern BLOCK = Pattern.compile("```sql\n-- ([^\n]*)\n(.*?);\n```", Pattern.DOTALL);

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, PostgreSQL, 4", "MARIADB, MariaDB, 3"})
    void allStatementsRun(TestDatabase database, String name, int statements) throws IOException, SQLException {
        try (JdbcLockBackend backend = database.backend()) {
            assertThat(statements(name)).hasSize(statements);
            try (Connection connection = database.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                for (String sql : statements(name)) {
                    statement.execute(sql);
                }
            }
            TestDatabase.client(backend).grant("a");
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, PostgreSQL", "MARIADB, MariaDB"})
    void aHeldLockIsListedAndAFreeOneIsNot(TestDatabase database, String name) throws IOException, SQLException {
        try (JdbcLockBackend backend = database.backend()) {
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("held");
            Held free = client.grant("free");
            client.release(free);
            String whoHoldsWhat = statements(name).get(0);
            assertThat(column(database, whoHoldsWhat, "lock_key"))
                    .contains(held.id().encoded())
                    .doesNotContain(free.id().encoded());
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, PostgreSQL", "MARIADB, MariaDB"})
    void aDeletedRowEndsThatLeaseAlone(TestDatabase database, String name) throws IOException, SQLException {
        try (JdbcLockBackend backend = database.backend()) {
            StoreClient client = TestDatabase.client(backend);
            Held hanging = client.grant("hanging");
            Held newer = client.grant("newer");
            String delete = statements(name).stream()
                    .filter(sql -> sql.startsWith("DELETE"))
                    .findFirst()
                    .orElseThrow();
            execute(database, forLease(delete, hanging, hanging.firstFence()));
            execute(database, forLease(delete, newer, newer.firstFence() - 1));
            assertThat(client.renew(hanging, StoreClient.LONG)).isEqualTo(RenewAnswer.NOT_OWNER);
            assertThat(client.renew(newer, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(client.grant("hanging").firstFence()).isGreaterThan(hanging.firstFence());
        }
    }

    /** A held row lock is an open transaction, which stops vacuum although it has no snapshot. */
    @Test
    void aHeldRowLockIsAmongTheLongTransactions() throws IOException, SQLException {
        try (RowLockBackend backend = RowLockBackend.withOwnPool(
                TestDatabase.POSTGRESQL.dataSource(), new RowLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            TestDatabase.client(backend).grant("held");
            List<String> sessions = column(
                    TestDatabase.POSTGRESQL,
                    "SELECT pid FROM pg_locks WHERE relation = 'lock_row'::regclass AND mode = 'RowShareLock'",
                    "pid");
            String longTransactions = statements("PostgreSQL").stream()
                    .filter(sql -> sql.contains("xact_start"))
                    .findFirst()
                    .orElseThrow();
            assertThat(sessions).isNotEmpty();
            assertThat(column(TestDatabase.POSTGRESQL, longTransactions, "pid")).containsAll(sessions);
        }
    }

    private static String forLease(String delete, Held lease, long fence) {
        return delete.replace("billing:42", lease.id().encoded()).replaceAll("fence = \\d+", "fence = " + fence);
    }

    private static List<String> statements(String database) throws IOException {
        Matcher blocks = BLOCK.matcher(Files.readString(PAGE));
        List<String> statements = new ArrayList<>();
        while (blocks.find()) {
            if (List.of(blocks.group(1).split(", ")).contains(database)) {
                statements.add(blocks.group(2));
            }
        }
        return statements;
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> column(TestDatabase database, String sql, String name) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(name));
            }
        }
        return values;
    }
}
