package io.leasehold.etcd;

import static io.leasehold.contract.StoreClient.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Acquisitions that fail after they were queued. */
class EtcdQueueFailureTests {

    private final EtcdAdmin admin = SharedEtcd.admin();

    private final TransactionProxy proxy = new TransactionProxy(SharedEtcd.endpoint());

    private final EtcdLockBackend holding = backend(EtcdOptions.of(SharedEtcd.endpoint()));

    private final EtcdLockBackend waiting = backend(EtcdOptions.of(proxy.endpoint()));

    private final String namespace = "q-" + UUID.randomUUID();

    private final StoreClient holder = new StoreClient(holding, namespace);

    private final StoreClient waiter = new StoreClient(waiting, namespace);

    @BeforeEach
    void empty() {
        admin.wipe();
    }

    @AfterEach
    void close() {
        holding.close();
        waiting.close();
        proxy.close();
        admin.close();
    }

    /** Its key is the only one in the queue, so that no other caller gets the lock until its lease has ended. */
    @Test
    void aQueuedTokenThatGetsNoLeaseHasToBeReleased() {
        Held held = holder.grant("a");
        TransactionProxy.Fault queued = proxy.hold(transaction -> transaction.getSuccessCount() == 4);
        CompletableFuture<AcquireAnswer> asked = waiting.acquire(
                        new AcquireCommand(held.id(), waiter.token(), LONG, 1, true))
                .toCompletableFuture();
        queued.awaitSent();
        // takes the lease that the first attempt did not need
        waiter.grant("b");
        holder.release(held);
        proxy.refuseLease();
        queued.arrive();
        assertThat(asked)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        BackendFailure.class,
                        failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN));
        assertThat(proxy.hasRefusedLease()).isTrue();
    }

    private static EtcdLockBackend backend(EtcdOptions options) {
        return new EtcdLockBackend(options, System::nanoTime, InstantSource.system());
    }
}
