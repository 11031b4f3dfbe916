package io.leasehold.jdbc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.ReleaseAnswer;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * F51: callers in transactions do not block each other, even if there are as many as the application's pool has
 * connections.
 */
class SmallPoolTests {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void fourCallersInTransactionsShareAPoolOfFourWithTheLocks(TestDatabase database) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.dataSource().url());
        config.setMaximumPoolSize(4);
        try (HikariDataSource pool = new HikariDataSource(config);
                JdbcLockBackend backend = JdbcLockBackend.withOwnPool(pool, new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            ExecutorService callers = Executors.newFixedThreadPool(4);
            try {
                List<Future<?>> done = new ArrayList<>();
                for (int caller = 0; caller < 4; caller++) {
                    String key = "caller-" + caller;
                    done.add(callers.submit(() -> lockInTransactions(pool, client, key)));
                }
                for (Future<?> each : done) {
                    each.get(40, SECONDS);
                }
            } finally {
                callers.shutdownNow();
            }
        }
    }

    private static Void lockInTransactions(HikariDataSource pool, StoreClient client, String key) throws Exception {
        for (int i = 0; i < 20; i++) {
            try (Connection transaction = pool.getConnection()) {
                transaction.setAutoCommit(false);
                Held held = client.grant(key);
                assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
                transaction.commit();
            }
        }
        return null;
    }
}
