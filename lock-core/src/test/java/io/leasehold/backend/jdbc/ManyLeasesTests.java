package io.leasehold.backend.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.backend.StoreClient;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ten thousand held locks, renewed in batches. */
class ManyLeasesTests {

    private static final int LEASES = 10_000;

    private static final int BATCH = 500;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL_DRIVER", "H2"})
    void noneOfTenThousandIsLost(TestDatabase database) {
        try (JdbcLockBackend backend = database.backend(new JdbcLockOptions().withConnections(9))) {
            StoreClient client = TestDatabase.client(backend);
            List<RenewCommand> renewals = new ArrayList<>();
            List<CompletionStage<AcquireAnswer>> grants = new ArrayList<>();
            for (int i = 0; i < LEASES; i++) {
                RenewCommand renewal = new RenewCommand(client.id("lock-" + i), client.token(), StoreClient.LONG);
                renewals.add(renewal);
                grants.add(
                        backend.acquire(new AcquireCommand(renewal.id(), renewal.token(), StoreClient.LONG, 1, false)));
            }
            assertThat(grants).allMatch(grant -> StoreClient.await(grant) instanceof Granted);
            for (int from = 0; from < LEASES; from += BATCH) {
                assertThat(client.renew(renewals.subList(from, from + BATCH)))
                        .hasSize(BATCH)
                        .containsOnly(RenewAnswer.RENEWED);
            }
            database.dataSource().execute("DELETE FROM lock_lease");
        }
    }
}
