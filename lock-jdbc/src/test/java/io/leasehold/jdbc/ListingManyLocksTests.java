package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockListing;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lists 10,000 locks in a table with five times as many rows of free locks, while another process locks. Prints how
 * long the cycles of that process took, with and without listings.
 */
class ListingManyLocksTests {

    private static final int LOCKS = 10_000;

    /** However long it takes on a busy machine. */
    private static final Duration LONG = Duration.ofSeconds(50);

    private static final JdbcLockOptions OPTIONS = new JdbcLockOptions()
            .withTable("lease_listed")
            .withCommandTimeout(LONG)
            .withQueueTimeout(LONG);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aListingHasAllLocksAndLeavesRoomForOthers(TestDatabase database) {
        String namespace = "l-" + UUID.randomUUID();
        try (JdbcLockBackend here = database.backend(OPTIONS);
                JdbcLockBackend there = database.backend(OPTIONS)) {
            database.dataSource().execute("DELETE FROM lease_listed");
            fill(database, namespace);
            StoreClient lister = new StoreClient(here, namespace);
            StoreClient worker = new StoreClient(there, "work");

            assertThat(lister.list(100).locks()).hasSize(100);
            assertThat(lister.list(100).incomplete()).isEqualTo("more than 100 locks are held");
            String alone = cycles(worker, () -> worker.release(worker.grant("pause")));
            List<Long> took = new ArrayList<>();
            String besides = cycles(worker, () -> {
                long start = System.nanoTime();
                LockListing listing = lister.list(LOCKS);
                took.add((System.nanoTime() - start) / 1_000_000);
                assertThat(listing.incomplete()).isNull();
                assertThat(listing.locks()).hasSize(LOCKS);
            });
            System.out.printf(
                    "%s: %d locks listed in %s ms; cycles beside: %s; alone: %s%n",
                    database, LOCKS, took, besides, alone);
        } finally {
            database.dataSource().execute("DELETE FROM lease_listed");
        }
    }

    /** Rows as the backend writes them; one in six is held. */
    private static void fill(TestDatabase database, String namespace) {
        boolean postgres = database == TestDatabase.POSTGRESQL;
        String now = postgres ? "extract(epoch FROM clock_timestamp()) * 1000000" : "UNIX_TIMESTAMP() * 1000000";
        String numbers = postgres
                ? "(SELECT generate_series(0, " + (6 * LOCKS - 1) + ") AS seq) AS numbers"
                : "(SELECT seq FROM seq_0_to_" + (6 * LOCKS - 1) + ") AS numbers";
        String key = "CONCAT('" + namespace + ":service-', seq)";
        String hash = postgres ? "sha256(convert_to(" + key + ", 'UTF8'))" : "UNHEX(SHA2(" + key + ", 256))";
        database.dataSource()
                .execute("INSERT INTO lease_listed"
                        + " (key_hash, lock_key, token, holder, fence, fences, expires_at, written_at)"
                        + " SELECT " + hash + ", " + key + ", '0123456789abcdef0123456789abcdef', 'orders@host-1:11',"
                        + " " + now + ", 1, CASE WHEN seq % 6 = 0 THEN " + now + " + 600000000 ELSE 0 END, " + now
                        + " FROM " + numbers);
    }

    /** Locks and unlocks again and again while an action runs ten times. */
    private static String cycles(StoreClient worker, Runnable action) {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> running = CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 10; i++) {
                        action.run();
                    }
                })
                .whenComplete((nothing, failure) -> done.set(true));
        List<Long> micros = new ArrayList<>();
        while (!done.get() || micros.size() < 500) {
            long start = System.nanoTime();
            Held held = worker.grant("a");
            worker.release(held);
            micros.add((System.nanoTime() - start) / 1_000);
        }
        running.join();
        micros.sort(null);
        return "%d, median %d us, 99 %% %d us, slowest %d us"
                .formatted(
                        micros.size(),
                        micros.get(micros.size() / 2),
                        micros.get((int) (micros.size() * 0.99)),
                        micros.get(micros.size() - 1));
    }
}
