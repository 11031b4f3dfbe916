package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockListing;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A listing that scans a large table delays no other operation. */
class HungListingTests {

    private static final String LISTING = "ESCAPE '!'";

    private final String namespace = "t-" + UUID.randomUUID();

    private final HinderedDataSource database = new HinderedDataSource(TestDatabase.POSTGRESQL.dataSource());

    /** The thread that watches for releases also reads the clock. */
    @Test
    void waitingCallersAreStillWoken() {
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(database, new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            whileListing(
                    backend,
                    client ->
                            assertThat(StoreClient.await(backend.clockMillis())).isPresent());
        }
    }

    /** The thread that issues fencing tokens reads the same tables. */
    @Test
    void rowLocksAreStillAcquired() {
        try (RowLockBackend backend = RowLockBackend.withOwnPool(database, new RowLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            whileListing(
                    backend,
                    client -> assertThat(client.release(client.grant("a"))).isEqualTo(ReleaseAnswer.RELEASED));
        }
    }

    private void whileListing(LockBackend backend, Consumer<StoreClient> test) {
        CompletableFuture<Void> scanned = new CompletableFuture<>();
        database.hinder(LISTING, 1, connection -> scanned.join());
        CompletableFuture<LockListing> listing = backend.list(namespace, 10).toCompletableFuture();
        try {
            await().until(() -> database.hindered() == 1);
            test.accept(new StoreClient(backend, namespace));
            assertThat(listing).isNotDone();
        } finally {
            scanned.complete(null);
        }
        assertThat(StoreClient.await(listing).locks()).isEmpty();
    }
}
