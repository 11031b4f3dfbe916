package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.StoreClient;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many held locks: none is lost, and each batch of renewals is one statement. */
class ManyLeasesTests {

    private static final int BATCH = 500;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void noneOfThreeBatchesIsLost(TestDatabase database) {
        hold(database, 3 * BATCH);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    @Tag("slow")
    void noneOfTenThousandIsLost(TestDatabase database) {
        hold(database, 10_000);
    }

    private static void hold(TestDatabase database, int leases) {
        String table = "lock_many";
        database.dataSource().execute("DROP TABLE IF EXISTS " + table);
        CountingDataSource dataSource = new CountingDataSource(database.dataSource());
        JdbcLockOptions options =
                new JdbcLockOptions().withTable(table).withConnections(9).withQueueTimeout(Duration.ofMinutes(1));
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(dataSource, options, System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            List<RenewCommand> renewals = new ArrayList<>();
            List<CompletionStage<AcquireAnswer>> grants = new ArrayList<>();
            for (int i = 0; i < leases; i++) {
                RenewCommand renewal = new RenewCommand(client.id("lock-" + i), client.token(), StoreClient.LONG);
                renewals.add(renewal);
                grants.add(
                        backend.acquire(new AcquireCommand(renewal.id(), renewal.token(), StoreClient.LONG, 1, false)));
            }
            assertThat(grants).allMatch(grant -> StoreClient.await(grant) instanceof Granted);
            dataSource.sent();
            for (int from = 0; from < leases; from += BATCH) {
                assertThat(client.renew(renewals.subList(from, from + BATCH)))
                        .hasSize(BATCH)
                        .containsOnly(RenewAnswer.RENEWED);
                assertThat(dataSource.sent()).isEqualTo(1);
            }
        }
        database.dataSource().execute("DROP TABLE " + table);
    }
}
