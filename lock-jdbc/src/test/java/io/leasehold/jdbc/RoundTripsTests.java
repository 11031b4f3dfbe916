package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.ReleaseAnswer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lock that was used before is acquired by one statement and released by one, and nothing besides is sent. */
class RoundTripsTests {

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void oneStatementAcquiresAndOneReleases(TestDatabase database) {
        CountingDataSource dataSource = new CountingDataSource(database.dataSource());
        try (JdbcLockBackend backend =
                JdbcLockBackend.withOwnPool(dataSource, new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            client.release(client.grant("a"));
            dataSource.sent();

            Held held = client.grant("a");
            assertThat(dataSource.sent()).isEqualTo(1);
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            assertThat(dataSource.sent()).isEqualTo(1);
        }
    }
}
