package io.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.jdbc.row.RowLockBackend;
import io.leasehold.jdbc.row.RowLockOptions;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A locker that connects while another one of the same backend acquires its first locks. */
class ConnectingRowLocksTests {

    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    void connectingAndAcquiringDoNotWaitForEachOther() {
        try (RowLockBackend backend = RowLockBackend.withOwnPool(
                TestDatabase.H2.dataSource(), new RowLockOptions().withConnections(1), System::nanoTime)) {
            backend.initializeSchema();
            for (int i = 0; i < 100; i++) {
                LockId id = LockId.of("connecting", "key-" + i);
                Token token = new Token(1, i + 1);
                CompletableFuture<AcquireAnswer> acquired = backend.acquire(
                                new AcquireCommand(id, token, Duration.ofSeconds(30), 8, false))
                        .toCompletableFuture();
                CompletableFuture<Void> connected = backend.connect().toCompletableFuture();
                assertThat(acquired).succeedsWithin(SOON);
                assertThat(connected).succeedsWithin(SOON);
                assertThat(backend.release(new ReleaseCommand(id, token)).toCompletableFuture())
                        .succeedsWithin(SOON);
            }
        }
    }
}
