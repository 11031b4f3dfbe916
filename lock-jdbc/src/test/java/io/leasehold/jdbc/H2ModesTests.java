package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.ForcedRelease;
import io.leasehold.LockState;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lease table in H2's compatibility modes, each of which refuses some statements. */
class H2ModesTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "REGULAR",
                "STRICT",
                "LEGACY",
                "DB2",
                "Derby",
                "HSQLDB",
                "MSSQLServer",
                "MariaDB",
                "MySQL",
                "Oracle",
                "PostgreSQL"
            })
    void everyOperationWorks(String mode) {
        UrlDataSource database =
                new UrlDataSource("jdbc:h2:mem:modes_" + mode + ";MODE=" + mode + ";DB_CLOSE_DELAY=-1");
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(database, new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = new StoreClient(backend, "modes");
            Held held = client.grant("a");
            assertThat(client.busy(held.id())).isNotNull();
            assertThat(client.describe(held.id())).isInstanceOf(LockState.Held.class);
            assertThat(client.list(10).locks()).hasSize(1);
            assertThat(client.renew(held, StoreClient.LONG)).isEqualTo(RenewAnswer.RENEWED);
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            Held next = client.grant("a");
            assertThat(client.revoke(next.id(), next.firstFence())).isEqualTo(ForcedRelease.Outcome.REVOKED);
            assertThat(client.renew(next, StoreClient.LONG)).isEqualTo(RenewAnswer.REVOKED);
            assertThat(StoreClient.await(backend.purge())).isZero();
        }
    }
}
