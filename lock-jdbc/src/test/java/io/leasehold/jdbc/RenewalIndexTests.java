package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.RenewAnswer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Renewals name the index by which MariaDB and MySQL are to find the rows. Not each table has it under the same name. */
class RenewalIndexTests {

    @AfterEach
    void removeTables() {
        for (TestDatabase database : new TestDatabase[] {TestDatabase.MARIADB, TestDatabase.MYSQL_DRIVER}) {
            UrlDataSource dataSource = database.dataSource();
            dataSource.execute("DROP TABLE IF EXISTS index_lease, index_base");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void aUniqueIndexInsteadOfAPrimaryKey(TestDatabase database) {
        isRenewed(database, "ALTER TABLE index_lease DROP PRIMARY KEY, ADD UNIQUE INDEX `by ``hash` (key_hash)");
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void aPrimaryKeyOfAnotherColumn(TestDatabase database) {
        isRenewed(
                database,
                "ALTER TABLE index_lease DROP PRIMARY KEY, ADD UNIQUE INDEX (key_hash),"
                        + " ADD id BIGINT AUTO_INCREMENT PRIMARY KEY FIRST");
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void aView(TestDatabase database) {
        try {
            isRenewed(
                    database,
                    "ALTER TABLE index_lease RENAME TO index_base",
                    "CREATE VIEW index_lease AS SELECT * FROM index_base");
        } finally {
            database.dataSource().execute("DROP VIEW IF EXISTS index_lease");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void anIndexThatIsReplacedByOneOfAnotherName(TestDatabase database) {
        try (JdbcLockBackend backend = database.backend(new JdbcLockOptions().withTable("index_lease"))) {
            UrlDataSource dataSource = database.dataSource();
            dataSource.execute("ALTER TABLE index_lease DROP PRIMARY KEY, ADD UNIQUE INDEX before_it (key_hash)");
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            dataSource.execute("ALTER TABLE index_lease DROP INDEX before_it, ADD PRIMARY KEY (key_hash)");
            await().ignoreExceptions()
                    .untilAsserted(() ->
                            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED));
        }
    }

    private static void isRenewed(TestDatabase database, String... changes) {
        try (JdbcLockBackend backend = database.backend(new JdbcLockOptions().withTable("index_lease"))) {
            for (String change : changes) {
                database.dataSource().execute(change);
            }
            StoreClient client = TestDatabase.client(backend);
            Held held = client.grant("a");
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
        }
    }
}
