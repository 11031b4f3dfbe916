package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.ReleaseAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The locks' own pool opens connections when concurrent callers need them, and not before. */
class OpenedConnectionsTests {

    @Test
    void sequentialCallersNeedOneIdleConnectionAndOneForRenewals() {
        Opened opened = new Opened(TestDatabase.H2);
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

    /** The pool has at most two connections for callers, two for renewals, one for the poll and one for notifications. */
    @Test
    void waitersForManyKeysNeedNoConnectionEach() {
        Opened opened = new Opened(TestDatabase.POSTGRESQL);
        JdbcLockOptions options = new JdbcLockOptions().withConnections(2).withQueueTimeout(Duration.ofMinutes(1));
        try (JdbcLockBackend elsewhere = TestDatabase.POSTGRESQL.backend();
                JdbcLockBackend backend = JdbcLockBackend.withOwnPool(opened, options, System::nanoTime)) {
            StoreClient holder = TestDatabase.client(elsewhere);
            List<Held> held = IntStream.range(0, 100)
                    .mapToObj(number -> holder.grant("key-" + number))
                    .toList();
            List<CompletableFuture<AcquireAnswer>> asked = held.stream()
                    .map(lock -> backend.acquire(
                                    new AcquireCommand(lock.id(), holder.token(), StoreClient.LONG, 1, true))
                            .toCompletableFuture())
                    .toList();
            List<CompletableFuture<?>> wakeups = asked.stream()
                    .map(CompletableFuture::join)
                    .<CompletableFuture<?>>map(answer -> ((Busy) answer).wakeup())
                    .toList();
            held.forEach(holder::release);
            assertThat(wakeups).allSatisfy(wakeup -> assertThat(wakeup).succeedsWithin(Duration.ofSeconds(30)));
            assertThat(opened.count.get()).isBetween(1, 6);
        }
    }

    /** Each open connection keeps its session until it is closed. */
    private static final class Opened extends PlainDataSource {

        private final AtomicInteger count = new AtomicInteger();

        private final UrlDataSource target;

        private Opened(TestDatabase database) {
            this.target = database.dataSource();
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = target.getConnection();
            count.incrementAndGet();
            return connection;
        }
    }
}
