package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.LockableRow;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.jdbc.row.RowLocks;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.SafetyFinding;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables whose storage engine ignores {@code FOR UPDATE}, as a migration creates them on a server with another default
 * engine. Two processes would hold the same row lock. A lease needs no row lock.
 */
class StorageEngineTests {

    private static final String TO_INNODB = "ALTER TABLE %s ENGINE = InnoDB";

    @BeforeEach
    void removeTables() {
        for (String table : List.of("engine_lease", "engine_row", "engine_row_fence", "engine_account")) {
            TestDatabase.MARIADB.dataSource().execute("DROP TABLE IF EXISTS " + table);
            TestDatabase.MYSQL_DRIVER.dataSource().execute("DROP TABLE IF EXISTS " + table);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void rowLocksAreFoundAndRefused(TestDatabase database) {
        UrlDataSource dataSource = database.dataSource();
        RowLockOptions options = new RowLockOptions().withTable("locks.engine_row");
        try (RowLockBackend backend = RowLockBackend.withOwnPool(dataSource, options, System::nanoTime)) {
            backend.initializeSchema();
            dataSource.execute("ALTER TABLE engine_row ENGINE = MyISAM");
            assertThat(findings(backend)).singleElement().asString().contains("locks.engine_row", "MyISAM", "InnoDB");
            StoreClient client = TestDatabase.client(backend);
            AcquireCommand command = new AcquireCommand(client.id("a"), client.token(), StoreClient.LONG, 1, false);
            assertThatThrownBy(
                            () -> backend.acquire(command).toCompletableFuture().join())
                    .cause()
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            refusal -> assertThat(refusal.effect()).isEqualTo(Effect.REFUSED))
                    .hasMessageContaining("MyISAM")
                    .hasMessageContaining(TO_INNODB.formatted("locks.engine_row"));

            dataSource.execute(TO_INNODB.formatted("engine_row"));
            client.grant("a");
            assertThat(findings(backend)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void workUnderABusinessRowsLockIsRefused(TestDatabase database) throws SQLException {
        UrlDataSource dataSource = database.dataSource();
        dataSource.execute("CREATE TABLE engine_account (id INT PRIMARY KEY) ENGINE = MEMORY");
        dataSource.execute("INSERT INTO engine_account VALUES (1)");
        RowLocks locks = new RowLocks(dataSource);
        LockableRow row = new LockableRow("engine_account", "id", 1);
        for (int call = 0; call < 2; call++) {
            assertThatThrownBy(() -> locks.inTransaction(row, Duration.ZERO, connection -> "done"))
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            refusal -> assertThat(refusal.effect()).isEqualTo(Effect.REFUSED))
                    .hasMessageContaining("MEMORY")
                    .hasMessageContaining(TO_INNODB.formatted("engine_account"));
        }
        dataSource.execute(TO_INNODB.formatted("engine_account"));
        assertThat(locks.inTransaction(row, Duration.ZERO, connection -> "done"))
                .contains("done");
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL_DRIVER"})
    void aLeaseTableIsFound(TestDatabase database) {
        try (JdbcLockBackend backend = database.backend(new JdbcLockOptions().withTable("engine_lease"))) {
            database.dataSource().execute("ALTER TABLE engine_lease ENGINE = MyISAM");
            assertThat(findings(backend)).singleElement().asString().contains("engine_lease", "MyISAM", "InnoDB");
            StoreClient client = TestDatabase.client(backend);
            client.busy(client.grant("a").id());
        }
    }

    private static List<SafetyFinding> findings(LockBackend backend) {
        return StoreClient.await(backend.inspect());
    }
}
