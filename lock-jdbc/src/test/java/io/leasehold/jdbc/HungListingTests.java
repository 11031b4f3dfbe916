package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockListing;
import io.leasehold.contract.StoreClient;
import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Listings that scan a large table delay no other operation, however many there are. */
class HungListingTests {

    private static final String LISTING = "ESCAPE '!'";

    /** More than there are connections. */
    private static final int LISTINGS = 8;

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

    @Test
    void leasesAreStillAcquired() {
        try (JdbcLockBackend backend = JdbcLockBackend.withOwnPool(database, new JdbcLockOptions(), System::nanoTime)) {
            backend.initializeSchema();
            whileListing(
                    backend,
                    client -> assertThat(client.release(client.grant("a"))).isEqualTo(ReleaseAnswer.RELEASED));
        }
    }

    private void whileListing(LockBackend backend, Consumer<StoreClient> test) {
        CompletableFuture<Void> scanned = new CompletableFuture<>();
        database.hinder(LISTING, LISTINGS, connection -> scanned.join());
        List<CompletableFuture<LockListing>> listings = new ArrayList<>();
        for (int i = 0; i < LISTINGS; i++) {
            listings.add(backend.list(namespace, 10).toCompletableFuture());
        }
        try {
            await().until(() -> database.hindered() > 0);
            test.accept(new StoreClient(backend, namespace));
            assertThat(listings).noneMatch(CompletableFuture::isDone);
        } finally {
            scanned.complete(null);
        }
        assertThat(listings)
                .allSatisfy(listing ->
                        assertThat(StoreClient.await(listing).locks()).isEmpty());
    }
}
