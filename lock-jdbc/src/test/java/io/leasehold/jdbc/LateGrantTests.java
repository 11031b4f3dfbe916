package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.table.KeyHash;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * F16: a lock whose row was locked for a while before the grant. Whether the database reads its clock before or after
 * that wait, the lease lasts at least for the ttl from the moment of the request, from which its holder counts.
 */
class LateGrantTests {

    private static final Duration TTL = Duration.ofSeconds(40);

    private static final JdbcLockOptions OPTIONS =
            new JdbcLockOptions().withCommandTimeout(Duration.ofSeconds(15)).withLockWait(Duration.ofSeconds(15));

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER"})
    void theLeaseIsNoShorterThanItsHoldersView(TestDatabase database) throws SQLException {
        try (JdbcLockBackend backend = database.backend(OPTIONS);
                Connection other = database.dataSource().getConnection()) {
            StoreClient client = TestDatabase.client(backend);
            client.release(client.grant("a"));
            AcquireCommand command = new AcquireCommand(client.id("a"), client.token(), TTL, 1, false);

            other.setAutoCommit(false);
            try (PreparedStatement lock =
                    other.prepareStatement("SELECT 1 FROM lock_lease WHERE key_hash = ? FOR UPDATE")) {
                lock.setBytes(1, KeyHash.of(command.id()));
                assertThat(lock.executeQuery().next()).isTrue();
            }
            long asked = System.nanoTime();
            CompletionStage<AcquireAnswer> answer = backend.acquire(command);
            Awaitility.await()
                    .pollDelay(Duration.ofMillis(700))
                    .until(() -> !answer.toCompletableFuture().isDone());
            other.rollback();

            assertThat(StoreClient.await(answer)).isInstanceOf(Granted.class);
            Duration left = client.busy(command.id()).remaining();
            long looked = System.nanoTime();
            assertThat(left.plusNanos(looked - asked)).isGreaterThanOrEqualTo(TTL);
            assertThat(left).isLessThanOrEqualTo(TTL);
        }
    }
}
