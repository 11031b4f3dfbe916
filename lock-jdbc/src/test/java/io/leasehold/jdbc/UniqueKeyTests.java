package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables of another migration than the scripts of this library. Two processes hold the same lock if the table lets each of
 * them insert a row for it. A table with another key that prevents that works.
 */
class UniqueKeyTests {

    private static final JdbcLockOptions OPTIONS = new JdbcLockOptions().withTable("key_lease");

    private static final RowLockOptions ROW_OPTIONS = new RowLockOptions().withTable("key_row");

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void leasesNeedAKey(TestDatabase database) {
        UrlDataSource dataSource = recreated(database);
        dropKey(database, "key_lease");
        leasesAreRefused(dataSource);

        dataSource.execute("CREATE UNIQUE INDEX key_lease_key_hash ON key_lease (key_hash)");
        leasesWork(dataSource);
    }

    /** As a table needs it that is partitioned by its time of expiry. */
    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aKeyWithAnotherColumnIsNone(TestDatabase database) {
        UrlDataSource dataSource = recreated(database);
        dropKey(database, "key_lease");
        dataSource.execute("ALTER TABLE key_lease ADD PRIMARY KEY (key_hash, expires_at)");
        leasesAreRefused(dataSource);
    }

    @Test
    void anIndexOfAnExpressionIsNone() {
        UrlDataSource dataSource = recreated(TestDatabase.POSTGRESQL);
        dropKey(TestDatabase.POSTGRESQL, "key_lease");
        dataSource.execute("CREATE UNIQUE INDEX by_day ON key_lease (key_hash, (expires_at / 86400000000))");
        leasesAreRefused(dataSource);
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aKeyWithTheReadableKeyIsSufficient(TestDatabase database) {
        UrlDataSource dataSource = recreated(database);
        dropKey(database, "key_lease");
        dataSource.execute("ALTER TABLE key_lease ADD PRIMARY KEY (key_hash, lock_key)");
        leasesWork(dataSource);
    }

    /** As the collation of the column tells keys apart: perhaps without regard to case, accents and trailing spaces. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void anIndexOfTheReadableKeyMergesLocks(TestDatabase database) {
        UrlDataSource dataSource = recreated(database);
        dataSource.execute("CREATE UNIQUE INDEX by_key ON key_lease (lock_key)");
        leasesAreRefused(dataSource, "index 'by_key'", "ALTER TABLE key_lease DROP INDEX `by_key`");
        dataSource.execute("ALTER TABLE key_lease DROP INDEX `by_key`");
        leasesWork(dataSource);

        dataSource.execute("ALTER TABLE key_lease DROP PRIMARY KEY, ADD PRIMARY KEY (lock_key)");
        String change = "ALTER TABLE key_lease DROP PRIMARY KEY, ADD UNIQUE INDEX key_lease_key_hash (key_hash)";
        leasesAreRefused(dataSource, "index 'PRIMARY'", change);
        dataSource.execute(change);
        leasesWork(dataSource);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "H2"})
    void aKeyOfTheReadableKeyIsSufficientWhereItIsComparedExactly(TestDatabase database) {
        UrlDataSource dataSource = recreated(database);
        dropKey(database, "key_lease");
        dataSource.execute("ALTER TABLE key_lease ADD PRIMARY KEY (lock_key)");
        leasesWork(dataSource);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void aViewOfATableWithAKeyIsNotRefused(TestDatabase database) {
        UrlDataSource dataSource = recreated(database);
        dataSource.execute("ALTER TABLE key_lease RENAME TO key_base");
        dataSource.execute("CREATE VIEW key_lease AS SELECT * FROM key_base");
        leasesWork(dataSource);
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void partitionsByTheKeyAreNotRefused(TestDatabase database) {
        UrlDataSource dataSource = recreated(database);
        dataSource.execute("ALTER TABLE key_lease PARTITION BY KEY (key_hash) PARTITIONS 2");
        leasesWork(dataSource);
    }

    /** The catalogue lists the key of such a table with a hidden column. */
    @Test
    void versionsOfRowsAreNotRefused() {
        UrlDataSource dataSource = recreated(TestDatabase.MARIADB);
        dataSource.execute("ALTER TABLE key_lease ADD SYSTEM VERSIONING");
        leasesWork(dataSource);
    }

    @Test
    void partitionsOfPostgresByTheKeyAreNotRefused() {
        UrlDataSource dataSource = recreated(TestDatabase.POSTGRESQL);
        dataSource.execute("ALTER TABLE key_lease RENAME TO key_base");
        dataSource.execute(
                "CREATE TABLE key_lease (LIKE key_base INCLUDING ALL EXCLUDING STORAGE) PARTITION BY HASH (key_hash)");
        dataSource.execute("CREATE TABLE key_lease_0 PARTITION OF key_lease FOR VALUES WITH (MODULUS 1, REMAINDER 0)");
        leasesWork(dataSource);
    }

    @Test
    void anIndexOfSomeRowsOrWithFurtherColumnsOfPostgres() {
        UrlDataSource dataSource = recreated(TestDatabase.POSTGRESQL);
        dropKey(TestDatabase.POSTGRESQL, "key_lease");
        dataSource.execute("CREATE UNIQUE INDEX key_lease_some ON key_lease (key_hash) WHERE expires_at = 0");
        leasesAreRefused(dataSource);
        dataSource.execute("CREATE UNIQUE INDEX key_lease_all ON key_lease (key_hash) INCLUDE (token)");
        leasesWork(dataSource);
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void bothTablesOfRowLocksNeedAKey(TestDatabase database) {
        for (String table : List.of("key_row", "key_row_fence")) {
            UrlDataSource dataSource = recreated(database);
            dropKey(database, table);
            try (RowLockBackend backend = RowLockBackend.withOwnPool(dataSource, ROW_OPTIONS, System::nanoTime)) {
                assertUnsafe(backend::requireSchema, table, "CREATE UNIQUE INDEX");
                acquisitionIsRefused(backend, table, "CREATE UNIQUE INDEX");
                assertFound(backend, table, "CREATE UNIQUE INDEX", " ON " + table + " (key_hash)");

                dataSource.execute("CREATE UNIQUE INDEX " + table + "_key_hash ON " + table + " (key_hash)");
                backend.requireSchema();
                works(backend);
            }
        }
    }

    private static void leasesAreRefused(UrlDataSource dataSource) {
        leasesAreRefused(dataSource, "CREATE UNIQUE INDEX", " ON key_lease (key_hash)");
    }

    private static void leasesAreRefused(UrlDataSource dataSource, String... words) {
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(dataSource, OPTIONS, System::nanoTime)) {
            assertUnsafe(backend::requireSchema, "key_lease", words);
            assertUnsafe(backend::initializeSchema, "key_lease", words);
            acquisitionIsRefused(backend, "key_lease", words);
            assertFound(backend, "key_lease", words);
        }
    }

    private static void leasesWork(UrlDataSource dataSource) {
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(dataSource, OPTIONS, System::nanoTime)) {
            backend.requireSchema();
            works(backend);
        }
    }

    private static void works(LockBackend backend) {
        StoreClient client = TestDatabase.client(backend);
        Held held = client.grant("a");
        client.busy(held.id());
        assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(client.grant("a").firstFence()).isGreaterThan(held.firstFence());
        assertThat(StoreClient.await(backend.inspect()))
                .noneSatisfy(finding -> assertThat(finding.subject()).startsWith("table"));
    }

    private static void acquisitionIsRefused(LockBackend backend, String table, String... words) {
        StoreClient client = TestDatabase.client(backend);
        AcquireCommand command = new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false);
        for (int call = 0; call < 2; call++) {
            assertUnsafe(() -> StoreClient.await(backend.acquire(command)), table, words);
        }
    }

    private static void assertFound(LockBackend backend, String table, String... words) {
        assertThat(StoreClient.await(backend.inspect()))
                .anySatisfy(finding -> assertThat(finding.toString())
                        .contains("table " + table + ": ")
                        .contains(words));
    }

    private static void assertUnsafe(ThrowingCallable call, String table, String... words) {
        assertThatThrownBy(call)
                .satisfies(thrown -> assertThat(thrown instanceof BackendFailure ? thrown : thrown.getCause())
                        .isInstanceOfSatisfying(
                                BackendFailure.class,
                                failure -> assertThat(failure.effect()).isEqualTo(Effect.REFUSED))
                        .hasMessageContaining("table '" + table + "'")
                        .hasMessageContainingAll(words));
    }

    private static UrlDataSource recreated(TestDatabase database) {
        UrlDataSource dataSource = database.dataSource();
        for (String table : List.of("key_base", "key_lease", "key_row", "key_row_fence")) {
            dropIfTable(dataSource, database, table);
        }
        try (JdbcLockBackend leases = JdbcLockBackend.withOwnPool(dataSource, OPTIONS, System::nanoTime);
                RowLockBackend rows = RowLockBackend.withOwnPool(dataSource, ROW_OPTIONS, System::nanoTime)) {
            leases.initializeSchema();
            rows.initializeSchema();
        }
        return dataSource;
    }

    /** A view of an earlier test has the name of a table, which no database drops as the other. */
    private static void dropIfTable(UrlDataSource dataSource, TestDatabase database, String table) {
        String type = "SELECT COUNT(*) FROM information_schema.tables WHERE LOWER(table_name) = '" + table
                + "' AND table_type = 'VIEW'";
        boolean isView = dataSource.query(type) > 0;
        String cascade = database == TestDatabase.POSTGRESQL ? " CASCADE" : "";
        dataSource.execute("DROP " + (isView ? "VIEW " : "TABLE ") + "IF EXISTS " + table + cascade);
    }

    private static void dropKey(TestDatabase database, String table) {
        database.dataSource()
                .execute("ALTER TABLE " + table
                        + (database == TestDatabase.POSTGRESQL
                                ? " DROP CONSTRAINT " + table + "_pkey"
                                : " DROP PRIMARY KEY"));
    }
}
