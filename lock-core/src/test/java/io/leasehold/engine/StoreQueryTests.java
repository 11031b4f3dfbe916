package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockListener;
import io.leasehold.LockState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Questions to a store that has not been used before. */
class StoreQueryTests {

    private final VirtualTime time = new VirtualTime();

    private final ScriptedBackend backend = new ScriptedBackend();

    private final LockEngine engine = time.engine(new LockListener() {});

    private final LeaseLocker locker = engine.locker(VirtualTime.settings("query"), "scripted", backend);

    private final CompletableFuture<Void> connection = new CompletableFuture<>();

    @AfterEach
    void close() {
        time.close(engine);
    }

    @Test
    void theTimeToConnectIsNotThatOfAnAnswer() {
        backend.onConnect = () -> connection;
        CompletableFuture<LockState> state = locker.describe("a").toCompletableFuture();
        time.pass(Duration.ofSeconds(8));
        assertThat(state).isNotDone();
        connection.complete(null);
        Awaitility.await().until(state::isDone);
        assertThat(state).isCompletedWithValueMatching(LockState.Unknown.class::isInstance);
    }

    @Test
    void aStoreThatCannotBeReachedIsAFailureAfterTenSeconds() {
        backend.onConnect = () -> connection;
        CompletableFuture<LockState> state = locker.describe("a").toCompletableFuture();
        time.pass(Duration.ofSeconds(10));
        Awaitility.await().until(state::isDone);
        assertThat(state)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("no connection to the store within 10 s");
        assertThat(connection).isNotDone();
    }

    @Test
    void aFailedConnectionIsNamed() {
        backend.onConnect = () -> CompletableFuture.failedFuture(new IllegalStateException("refused by the store"));
        assertThat(locker.describe("a"))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("refused by the store");
    }
}
