package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.AnsweringDataSource;
import io.leasehold.jdbc.JdbcLockBackend;
import io.leasehold.jdbc.JdbcLockOptions;
import io.leasehold.jdbc.TestDatabase;
import io.leasehold.jdbc.UrlDataSource;
import io.leasehold.spi.SafetyFinding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * A pooler is recognised by the process id that the server returns. Behind a pooler, no setting is made on a session,
 * and a wait for a row still ends.
 */
class PoolerTests {

    private final AnsweringDataSource pooled =
            new AnsweringDataSource(TestDatabase.POSTGRESQL.dataSource(), PostgresPooler.BACKEND_PID, "SELECT 0");

    @Test
    void itIsReportedAndLocksWork() {
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(pooled, new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            assertThat(StoreClient.await(backend.inspect()))
                    .extracting(SafetyFinding::subject)
                    .contains("pooler");
            StoreClient client = TestDatabase.client(backend);
            client.release(client.grant("a"));
        }
    }

    @Test
    void withoutAPoolerNoneIsReported() {
        try (JdbcLockBackend backend = TestDatabase.POSTGRESQL.backend()) {
            assertThat(StoreClient.await(backend.inspect()))
                    .extracting(SafetyFinding::subject)
                    .doesNotContain("pooler");
        }
    }

    @Test
    void theSessionKeepsItsSettings() throws SQLException {
        Duration second = Duration.ofSeconds(1);
        try (HikariDataSource pool = LockDataSource.over(pooled, "pooled", 1);
                LockConnection session = open(new LockConnections(pool, second, second))) {
            assertThat(session.isPooled()).isTrue();
            assertThat(session.queryForText("SHOW lock_timeout")).isEqualTo("0");
        }
        try (LockConnection session =
                new LockConnections(TestDatabase.POSTGRESQL.dataSource(), second, second).open()) {
            assertThat(session.queryForText("SHOW lock_timeout")).isEqualTo("1s");
        }
    }

    @Test
    void aWaitForALockedRowEndsWithoutASetting() throws SQLException {
        Duration second = Duration.ofSeconds(1);
        UrlDataSource database = TestDatabase.POSTGRESQL.dataSource();
        database.execute("CREATE TABLE IF NOT EXISTS pooled_row (id INT PRIMARY KEY)");
        database.execute("INSERT INTO pooled_row VALUES (1) ON CONFLICT DO NOTHING");
        String lock = "SELECT id FROM pooled_row WHERE id = 1 FOR UPDATE";
        try (Connection other = database.getConnection();
                HikariDataSource pool = LockDataSource.over(pooled, "pooled", 1);
                LockConnection session = open(new LockConnections(pool, second, Duration.ofSeconds(20)))) {
            other.setAutoCommit(false);
            try (PreparedStatement holder = other.prepareStatement(lock)) {
                holder.executeQuery();
            }
            PreparedStatement waiting = session.prepare(lock);
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(waiting::executeQuery)
                    .satisfies(failure -> assertThat(SqlError.classify(failure, DatabaseDialect.POSTGRESQL))
                            .isEqualTo(SqlError.NOT_DONE));
            other.rollback();
        }
    }

    private static LockConnection open(LockConnections sessions) {
        return await().ignoreExceptions().until(sessions::open, Objects::nonNull);
    }
}
