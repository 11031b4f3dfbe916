package io.leasehold.backend.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.backend.StoreClient;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.SafetyFinding;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The check at start-up finds what keeps every lock from being taken: it tries to write and knows older tables. */
class StartUpCheckTests {

    private final UrlDataSource owner = TestDatabase.POSTGRESQL.dataSource();

    @Test
    void aUserWhoMayOnlyReadIsFound() {
        JdbcLockOptions options = new JdbcLockOptions().withTable("lease_read_only");
        TestDatabase.POSTGRESQL.backend(options).close();
        if (owner.query("SELECT COUNT(*) FROM pg_roles WHERE rolname = 'only_reads'") == 0) {
            owner.execute("CREATE ROLE only_reads LOGIN");
        }
        owner.execute("GRANT SELECT ON lease_read_only TO only_reads");
        UrlDataSource reader = new UrlDataSource(owner.url().replace("user=postgres", "user=only_reads"));
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(reader, options, System::nanoTime)) {
            assertThat(tableFindings(backend))
                    .singleElement()
                    .asString()
                    .contains("may not write", "Grant SELECT, INSERT");
            assertThatThrownBy(backend::requireSchema).isInstanceOf(BackendFailure.class);
        }
    }

    @Test
    void sessionsThatAreReadOnlyByDefaultAreFound() {
        TestDatabase.POSTGRESQL.backend().close();
        UrlDataSource readOnly = owner.with(ConnectionSetting.sql("SET default_transaction_read_only = on"));
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(readOnly, new JdbcLockOptions(), System::nanoTime)) {
            assertThat(tableFindings(backend)).singleElement().asString().contains("cannot be written to", "read-only");
        }
    }

    @Test
    void aTableOfAnOlderVersionIsNamedWithItsUpgrade() {
        JdbcLockOptions options = new JdbcLockOptions().withTable("lease_old");
        owner.execute("DROP TABLE IF EXISTS lease_old");
        TestDatabase.POSTGRESQL.backend(options).close();
        owner.execute("ALTER TABLE lease_old DROP COLUMN told_below");
        String upgrade = "ALTER TABLE lease_old ADD COLUMN IF NOT EXISTS told_below";
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(owner, options, System::nanoTime)) {
            assertThat(tableFindings(backend)).singleElement().asString().contains(upgrade);
            assertThatThrownBy(backend::requireSchema)
                    .isInstanceOf(BackendFailure.class)
                    .hasMessageContaining(upgrade);
            backend.initializeSchema();
            backend.requireSchema();
            TestDatabase.client(backend).grant("a");
        }
    }

    private static List<SafetyFinding> tableFindings(JdbcLockBackend backend) {
        return StoreClient.await(backend.inspect()).stream()
                .filter(finding -> finding.subject().startsWith("table"))
                .toList();
    }
}
