package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The database runs on this machine, so the time of day that it returns lies between the request and the answer. */
class DatabaseClockTests {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void theDatabaseReturnsItsTime(TestDatabase database) {
        try (JdbcLockBackend backend = database.backend();
                RowLockBackend rows =
                        RowLockBackend.withOwnPool(database.dataSource(), new RowLockOptions(), System::nanoTime)) {
            rows.initializeSchema();
            long before = System.currentTimeMillis();
            long first = StoreClient.await(backend.clockMillis()).orElseThrow();
            long second = StoreClient.await(rows.clockMillis()).orElseThrow();
            long after = System.currentTimeMillis();
            assertThat(first).isBetween(before - 1, after + 1);
            assertThat(second).isBetween(before - 1, after + 1);
        }
    }
}
