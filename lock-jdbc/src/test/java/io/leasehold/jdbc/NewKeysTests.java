package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.table.KeyHash;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** F48: many concurrent acquisitions of new keys report no deadlock. */
class NewKeysTests {

    private static final int ROUNDS = 5;

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void thirtyTwoConnectionsLockFourNewKeys(TestDatabase database) {
        JdbcLockOptions options = new JdbcLockOptions().withConnections(16).withQueueTimeout(Duration.ofMinutes(1));
        try (JdbcLockBackend one = database.backend(options);
                JdbcLockBackend other = database.backend(options)) {
            for (int round = 0; round < ROUNDS; round++) {
                assertThat(grants(List.of(one, other), "n-" + UUID.randomUUID()))
                        .isEqualTo(4);
            }
        }
    }

    /** The acquisition waits for the other transaction, and then finds the row that its own view does not have. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void aRowThatIsBeingInsertedHasOneHolder(TestDatabase database) throws Exception {
        try (JdbcLockBackend backend = database.backend();
                Connection other = database.dataSource().getConnection()) {
            StoreClient client = TestDatabase.client(backend);
            LockId id = client.id("a");
            other.setAutoCommit(false);
            try (PreparedStatement insert = other.prepareStatement("INSERT INTO lock_lease"
                    + " (key_hash, lock_key, token, fence, fences, expires_at) VALUES (?, ?, 'x', 1, 1, 9e15)")) {
                insert.setBytes(1, KeyHash.of(id));
                insert.setString(2, id.encoded());
                insert.executeUpdate();
            }
            CompletionStage<AcquireAnswer> answer =
                    backend.acquire(new AcquireCommand(id, client.token(), StoreClient.LONG, 1, false));
            // MariaDB refreshes its table of transactions only if it was not read for 100 ms
            await().atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> waitsForRows(database));
            other.commit();
            assertThat(answer.toCompletableFuture().join()).isInstanceOf(Busy.class);
        }
    }

    private static boolean waitsForRows(TestDatabase database) {
        return database.dataSource()
                        .query(
                                database == TestDatabase.POSTGRESQL
                                        ? "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                        : "SELECT COUNT(*) FROM information_schema.innodb_trx"
                                                + " WHERE trx_state = 'LOCK WAIT'")
                > 0;
    }

    private static long grants(List<JdbcLockBackend> backends, String namespace) {
        List<CompletionStage<AcquireAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            for (JdbcLockBackend backend : backends) {
                Token token = new Token(ThreadLocalRandom.current().nextLong(), i);
                LockId id = LockId.of(namespace, "key-" + i % 4);
                answers.add(backend.acquire(new AcquireCommand(id, token, Duration.ofSeconds(30), 1, false)));
            }
        }
        return answers.stream()
                .map(answer -> answer.toCompletableFuture().join())
                .filter(Granted.class::isInstance)
                .count();
    }
}
