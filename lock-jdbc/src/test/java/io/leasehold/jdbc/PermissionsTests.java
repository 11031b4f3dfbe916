package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.SafetyFinding;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The documented permissions are sufficient for leases and for row locks. */
class PermissionsTests {

    private static final String USER = "locks_only";

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void fourPermissionsOnTheLeaseTableAreEnough(TestDatabase database) {
        JdbcLockOptions options = new JdbcLockOptions().withTable("lease_granted");
        database.backend(options).close();
        UrlDataSource user = userOf(database, List.of("lease_granted"));
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(user, options, System::nanoTime)) {
            backend.requireSchema();
            assertInspected(backend);
            useLocks(backend);
            takeFromItsHolder(backend);
            assertThat(StoreClient.await(backend.purge())).isZero();
        }
    }

    /** An administrator may: see docs/databases.md. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void onAPrimaryThatWasDemotedTheUserNeitherAcquiresNorRenews(TestDatabase database) {
        JdbcLockOptions options = new JdbcLockOptions().withTable("lease_demoted");
        UrlDataSource administrator = database.dataSource();
        try (JdbcLockBackend other = database.backend(options);
                JdbcLockBackend backend = JdbcLockBackend.withOwnPool(
                        userOf(database, List.of("lease_demoted")), options, System::nanoTime)) {
            StoreClient client = new StoreClient(backend, "t-" + UUID.randomUUID());
            Held held = client.grant("held");
            administrator.execute("SET GLOBAL read_only = 1");
            assertThatThrownBy(() -> client.grant("new")).cause().hasMessageContaining("read-only");
            assertThatThrownBy(() -> client.renew(held, StoreClient.LONG))
                    .cause()
                    .hasMessageContaining("read-only");
            StoreClient ofAdministrator = TestDatabase.client(other);
            assertThat(ofAdministrator.release(ofAdministrator.grant("a"))).isEqualTo(ReleaseAnswer.RELEASED);
        } finally {
            administrator.execute("SET GLOBAL read_only = 0");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void threePermissionsOnBothTablesAreEnoughForRowLocks(TestDatabase database) {
        RowLockOptions options = new RowLockOptions().withTable("row_granted");
        try (RowLockBackend owner = RowLockBackend.withOwnPool(database.dataSource(), options, System::nanoTime)) {
            owner.initializeSchema();
        }
        UrlDataSource user = userOf(database, List.of());
        for (String table : List.of("row_granted", "row_granted_fence")) {
            database.dataSource().execute("GRANT SELECT, INSERT, UPDATE ON " + table + " TO " + USER);
        }
        try (RowLockBackend backend = RowLockBackend.withOwnPool(user, options, System::nanoTime)) {
            backend.requireSchema();
            assertInspected(backend);
            useLocks(backend);
        }
    }

    /** A migration created the tables, and {@code initialize-schema} is set nevertheless. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void tablesThatExistNeedNoPermissionToCreateThem(TestDatabase database) {
        JdbcLockOptions leases = new JdbcLockOptions().withTable("lease_created");
        database.backend(leases).close();
        RowLockOptions rows = new RowLockOptions().withTable("row_created");
        try (RowLockBackend owner = RowLockBackend.withOwnPool(database.dataSource(), rows, System::nanoTime)) {
            owner.initializeSchema();
        }
        UrlDataSource user = userOf(database, List.of("lease_created", "row_created", "row_created_fence"));
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(user, leases, System::nanoTime);
                RowLockBackend rowBackend = RowLockBackend.withOwnPool(user, rows, System::nanoTime)) {
            backend.initializeSchema();
            rowBackend.initializeSchema();
            useLocks(backend);
            useLocks(rowBackend);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void anOlderTableIsUpgradedWithoutThePermissionToCreateTables(TestDatabase database) {
        JdbcLockOptions options = new JdbcLockOptions().withTable("lease_upgraded");
        UrlDataSource owner = database.dataSource();
        owner.execute("DROP TABLE IF EXISTS lease_upgraded");
        database.backend(options).close();
        owner.execute("ALTER TABLE lease_upgraded DROP COLUMN holder");
        UrlDataSource user = userOf(database, List.of("lease_upgraded"));
        owner.execute(
                database == TestDatabase.POSTGRESQL
                        ? "ALTER TABLE lease_upgraded OWNER TO " + USER
                        : "GRANT ALTER ON lease_upgraded TO " + USER);
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(user, options, System::nanoTime)) {
            backend.initializeSchema();
            useLocks(backend);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void aRefusalToCreateTheTableNamesTheRightThatIsMissing(TestDatabase database) {
        // without any right in the database, MariaDB refuses the connection
        database.backend(new JdbcLockOptions().withTable("lease_granted")).close();
        UrlDataSource user = userOf(database, List.of("lease_granted"));
        JdbcLockOptions options = new JdbcLockOptions().withTable("lease_refused");
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(user, options, System::nanoTime)) {
            assertThatThrownBy(backend::initializeSchema)
                    .isInstanceOfSatisfying(
                            BackendFailure.class, ex -> assertThat(ex.effect()).isEqualTo(Effect.REFUSED))
                    .hasMessageContaining("refused to create table 'lease_refused' for this user: ")
                    .hasMessageContaining("or grant the user the right to create tables")
                    .hasMessageNotContaining("SELECT, INSERT");
        }
    }

    /** The user may have all rights on the table. */
    @Test
    void aRefusalOfTheSchemaNamesTheRightThatIsMissing() {
        UrlDataSource owner = TestDatabase.POSTGRESQL.dataSource();
        owner.execute("CREATE SCHEMA IF NOT EXISTS hidden");
        JdbcLockOptions options = new JdbcLockOptions().withTable("hidden.lease_of_schema");
        TestDatabase.POSTGRESQL.backend(options).close();
        UrlDataSource user = userOf(TestDatabase.POSTGRESQL, List.of("hidden.lease_of_schema"));
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(user, options, System::nanoTime)) {
            assertThatThrownBy(backend::requireSchema)
                    .hasMessageContaining("permission denied for schema hidden")
                    .hasMessageContaining("and in PostgreSQL USAGE on its schema");
            owner.execute("GRANT USAGE ON SCHEMA hidden TO " + USER);
            backend.requireSchema();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusalForAnotherReasonAdvisesNoRights(TestDatabase database) {
        JdbcLockOptions leases = new JdbcLockOptions().withTable("order");
        RowLockOptions rows = new RowLockOptions().withTable("no_such_schema.lock_row");
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(database.dataSource(), leases, System::nanoTime);
                RowLockBackend rowBackend = RowLockBackend.withOwnPool(database.dataSource(), rows, System::nanoTime)) {
            assertThatThrownBy(backend::initializeSchema)
                    .hasMessageContaining("Correct 'lock.jdbc.table'")
                    .hasMessageNotContainingAny("grant", "for this user");
            assertThatThrownBy(rowBackend::initializeSchema)
                    .hasMessageContaining("Correct 'lock.row-lock.table'")
                    .hasMessageNotContainingAny("grant", "for this user");
        }
    }

    /** The server of the tests does not flush commits, and the inspection reports this. */
    private static void assertInspected(LockBackend backend) {
        assertThat(StoreClient.await(backend.inspect()))
                .extracting(SafetyFinding::subject)
                .isSubsetOf("fsync", "synchronous_commit");
    }

    private static void useLocks(LockBackend backend) {
        StoreClient client = new StoreClient(backend, "t-" + UUID.randomUUID());
        Held held = client.grant("a");
        client.busy(held.id());
        client.describe(held.id());
        client.list(10);
        assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        client.release(client.grant("a"));
    }

    private static void takeFromItsHolder(LockBackend backend) {
        StoreClient client = new StoreClient(backend, "t-" + UUID.randomUUID());
        Held held = client.grant("a");
        assertThat(client.revoke(held.id(), name(client, held))).isEqualTo(Outcome.REVOKED);
        assertThat(client.renew(held, StoreClient.LONG)).isNotEqualTo(RenewAnswer.RENEWED);
        client.release(held);
        Held kept = client.grant("a");
        client.release(kept, StoreClient.LONG);
        assertThat(client.revoke(kept.id(), name(client, kept))).isEqualTo(Outcome.REMOVED);
    }

    private static long name(StoreClient client, Held held) {
        return ((LockState.Held) client.describe(held.id())).fencingToken().orElseThrow();
    }

    private static UrlDataSource userOf(TestDatabase database, List<String> tables) {
        UrlDataSource owner = database.dataSource();
        boolean postgres = database == TestDatabase.POSTGRESQL;
        if (!postgres) {
            owner.execute("CREATE USER IF NOT EXISTS " + USER);
        } else if (owner.query("SELECT COUNT(*) FROM pg_roles WHERE rolname = '" + USER + "'") == 0) {
            owner.execute("CREATE ROLE " + USER + " LOGIN");
        }
        for (String table : tables) {
            owner.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON " + table + " TO " + USER);
        }
        return new UrlDataSource(owner.url().replace("user=" + (postgres ? "postgres" : "root"), "user=" + USER));
    }
}
