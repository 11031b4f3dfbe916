package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.SafetyFinding;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The check at start-up finds conditions that prevent all locks, for leases and for row locks. It tries to write, and
 * recognises tables of older versions.
 */
class StartUpCheckTests {

    private static final JdbcLockOptions LEASES = new JdbcLockOptions().withTable("lease_checked");

    private static final RowLockOptions ROWS = new RowLockOptions().withTable("row_checked");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void aReadOnlyUserIsFound(TestDatabase database) {
        createTables(database);
        UrlDataSource reader = reader(database);
        String advice = "Grant SELECT, INSERT, UPDATE and DELETE on table 'lease_checked'";
        String rowAdvice = "Grant SELECT, INSERT and UPDATE on the tables 'row_checked' and 'row_checked_fence'";
        try (JdbcLockBackend leases = JdbcLockBackend.withOwnPool(reader, LEASES, System::nanoTime);
                RowLockBackend rows = RowLockBackend.withOwnPool(reader, ROWS, System::nanoTime)) {
            assertThat(tableFindings(leases)).singleElement().asString().contains("may not write", advice);
            assertThat(tableFindings(rows)).hasSize(2).allMatch(finding -> finding.contains(rowAdvice));
            assertThatThrownBy(leases::requireSchema).isInstanceOf(BackendFailure.class);
            assertThatThrownBy(rows::requireSchema).isInstanceOf(BackendFailure.class);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void aTableThatTheStatementsCannotNameIsNoLackOfRights(TestDatabase database) {
        JdbcLockOptions options = new JdbcLockOptions().withTable("order");
        try (JdbcLockBackend leases = JdbcLockBackend.withOwnPool(database.dataSource(), options, System::nanoTime)) {
            assertThat(tableFindings(leases))
                    .singleElement()
                    .asString()
                    .contains("refused", "Correct 'lock.jdbc.table'")
                    .doesNotContainIgnoringCase("grant");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void sessionsThatAreReadOnlyByDefaultAreFound(TestDatabase database) {
        createTables(database);
        UrlDataSource readOnly = database.dataSource()
                .with(ConnectionSetting.sql(
                        database == TestDatabase.POSTGRESQL
                                ? "SET default_transaction_read_only = on"
                                : "SET SESSION TRANSACTION READ ONLY"));
        try (JdbcLockBackend leases = JdbcLockBackend.withOwnPool(readOnly, LEASES, System::nanoTime);
                RowLockBackend rows = RowLockBackend.withOwnPool(readOnly, ROWS, System::nanoTime)) {
            assertThat(tableFindings(leases)).singleElement().asString().contains("cannot be written to");
            assertThat(tableFindings(rows)).hasSize(2).allMatch(finding -> finding.contains("cannot be written to"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void tablesOfAnOlderVersionAreNamedWithTheirUpgrade(TestDatabase database) {
        createTables(database);
        UrlDataSource owner = database.dataSource();
        owner.execute("ALTER TABLE lease_checked DROP COLUMN written_at");
        owner.execute("ALTER TABLE row_checked_fence DROP COLUMN written_at");
        if (database == TestDatabase.POSTGRESQL) {
            owner.execute("ALTER TABLE lease_checked DROP COLUMN told_below");
        }
        try (JdbcLockBackend leases = JdbcLockBackend.withOwnPool(owner, LEASES, System::nanoTime);
                RowLockBackend rows = RowLockBackend.withOwnPool(owner, ROWS, System::nanoTime)) {
            assertThat(tableFindings(leases))
                    .singleElement()
                    .asString()
                    .contains("ALTER TABLE lease_checked ADD COLUMN");
            assertThat(tableFindings(rows)).singleElement().asString().contains("ALTER TABLE row_checked_fence ADD");
            assertThatThrownBy(leases::requireSchema)
                    .isInstanceOf(BackendFailure.class)
                    .hasMessageContaining(
                            "Table 'lease_checked' is of an older version. Upgrade it with the script 'upgrade-")
                    .hasMessageNotContaining("ALTER TABLE");

            leases.initializeSchema();
            rows.initializeSchema();
            leases.requireSchema();
            rows.requireSchema();
            TestDatabase.client(leases).grant("a");
            TestDatabase.client(rows).grant("a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void tablesThatLackOnlyTheNewestColumnAreUpgraded(TestDatabase database) {
        createTables(database);
        UrlDataSource owner = database.dataSource();
        owner.execute("ALTER TABLE lease_checked DROP COLUMN holder");
        owner.execute("ALTER TABLE row_checked_fence DROP COLUMN holder");
        try (JdbcLockBackend leases = JdbcLockBackend.withOwnPool(owner, LEASES, System::nanoTime);
                RowLockBackend rows = RowLockBackend.withOwnPool(owner, ROWS, System::nanoTime)) {
            assertThat(tableFindings(leases)).singleElement().asString().contains("holder VARCHAR(200)");
            assertThat(tableFindings(rows)).singleElement().asString().contains("holder VARCHAR(200)");

            leases.initializeSchema();
            rows.initializeSchema();
            TestDatabase.client(leases).grant("a");
            TestDatabase.client(rows).grant("a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void missingTablesOfRowLocksAreNamed(TestDatabase database) {
        database.dataSource().execute("DROP TABLE IF EXISTS row_checked_fence");
        database.dataSource().execute("DROP TABLE IF EXISTS row_checked");
        try (RowLockBackend rows = RowLockBackend.withOwnPool(database.dataSource(), ROWS, System::nanoTime)) {
            assertThat(tableFindings(rows))
                    .hasSize(2)
                    .allMatch(finding ->
                            finding.contains("it is missing") && finding.contains("lock.row-lock.initialize-schema"));
        }
    }

    private static void createTables(TestDatabase database) {
        for (String table : List.of("lease_checked", "row_checked", "row_checked_fence")) {
            database.dataSource().execute("DROP TABLE IF EXISTS " + table);
        }
        database.backend(LEASES).close();
        try (RowLockBackend rows = RowLockBackend.withOwnPool(database.dataSource(), ROWS, System::nanoTime)) {
            rows.initializeSchema();
        }
    }

    private static UrlDataSource reader(TestDatabase database) {
        UrlDataSource owner = database.dataSource();
        switch (database) {
            case POSTGRESQL -> {
                if (owner.query("SELECT COUNT(*) FROM pg_roles WHERE rolname = 'only_reads'") == 0) {
                    owner.execute("CREATE ROLE only_reads LOGIN");
                }
            }
            case H2 -> owner.execute("CREATE USER IF NOT EXISTS only_reads PASSWORD ''");
            default -> owner.execute("CREATE USER IF NOT EXISTS only_reads");
        }
        for (String table : List.of("lease_checked", "row_checked", "row_checked_fence")) {
            owner.execute("GRANT SELECT ON " + table + " TO only_reads");
        }
        return new UrlDataSource(
                database == TestDatabase.H2
                        ? "jdbc:h2:mem:all;USER=only_reads"
                        : owner.url().replaceFirst("user=(postgres|root)", "user=only_reads"));
    }

    private static List<String> tableFindings(LockBackend backend) {
        return StoreClient.await(backend.inspect()).stream()
                .filter(finding -> finding.subject().startsWith("table"))
                .map(SafetyFinding::toString)
                .toList();
    }
}
