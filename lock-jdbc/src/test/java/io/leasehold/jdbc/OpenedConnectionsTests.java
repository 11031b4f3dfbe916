package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.ReleaseAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The locks' own pool opens connections when concurrent callers need them, and not before. */
class OpenedConnectionsTests {

    @Test
    void sequentialCallersNeedOneIdleConnectionAndOneForRenewals() {
        Opened opened = new Opened();
        try (JdbcLockBackend backend =
                JdbcLockBackend.withOwnPool(opened, new JdbcLockOptions().withConnections(8), System::nanoTime)) {
            backend.initializeSchema();
            StoreClient client = TestDatabase.client(backend);
            for (int i = 0; i < 200; i++) {
                Held held = client.grant("a");
                assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            }
            assertThat(opened.count.get()).isBetween(1, 3);
        }
    }

    /** Each open connection keeps its session until it is closed. */
    private static final class Opened extends PlainDataSource {

        private final AtomicInteger count = new AtomicInteger();

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = TestDatabase.H2.dataSource().getConnection();
            count.incrementAndGet();
            return connection;
        }
    }
}
