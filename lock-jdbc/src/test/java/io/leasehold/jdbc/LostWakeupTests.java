package io.leasehold.jdbc;

import static org.awaitility.Awaitility.await;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.contract.Waiter;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of a lease wakes a waiter that acts on it, even if others have given up. */
class LostWakeupTests {

    /** Waiters that are passed over one after the other, after half a second each, would take longer than the test. */
    private static final int GIVEN_UP = 40;

    private final String namespace = "t-" + UUID.randomUUID();

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void aBusyAnswerAfterTheCancellationLeavesNoWaiter(TestDatabase database) {
        HinderedDataSource slow = new HinderedDataSource(database.dataSource());
        try (JdbcLockBackend elsewhere = database.backend();
                JdbcLockBackend here = JdbcLockBackend.withOwnPool(slow, new JdbcLockOptions(), System::nanoTime)) {
            StoreClient waiting = new StoreClient(here, namespace);
            StoreClient holder = new StoreClient(elsewhere, namespace);
            Held held = holder.grant("a");
            for (int i = 1; i <= GIVEN_UP; i++) {
                int hindered = i;
                CompletableFuture<Void> go = new CompletableFuture<>();
                slow.hinder("fence = ", 1, connection -> go.join());
                CompletableFuture<AcquireAnswer> givenUp =
                        here.acquire(command(waiting, held)).toCompletableFuture();
                await().pollInterval(Duration.ofMillis(5)).until(() -> slow.hindered() == hindered);
                givenUp.cancel(true);
                go.complete(null);
            }

            // Sent after the last of them has been answered: statements on a lock are sent one at a time.
            Waiter waiter = waiting.waitFor(held.id());
            holder.release(held);
            await().until(() -> waiter.busy().wakeup().isDone());
        }
    }

    /** The caller of that waiter may have been interrupted, or its next command may have been lost. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void aWaiterThatDoesNotActOnItsNotificationIsPassedOver(TestDatabase database) {
        try (JdbcLockBackend elsewhere = database.backend();
                JdbcLockBackend here = database.backend()) {
            StoreClient waiting = new StoreClient(here, namespace);
            StoreClient holder = new StoreClient(elsewhere, namespace);
            Held held = holder.grant("a");
            Waiter first = waiting.waitFor(held.id());
            Waiter second = waiting.waitFor(held.id());
            holder.release(held);
            await().until(() -> first.busy().wakeup().isDone());
            await().until(() -> second.busy().wakeup().isDone());
        }
    }

    private static AcquireCommand command(StoreClient waiting, Held held) {
        return new AcquireCommand(held.id(), waiting.token(), StoreClient.LONG, 1, true);
    }
}
