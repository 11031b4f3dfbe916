package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewCommand;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of the state of the store after a process has closed its backend. */
public interface CloseContract extends StoreUnderTest {

    /** The engine connects before its first operation, and again after a failure. */
    @Test
    default void connectingAgainIsHarmless() {
        Held held = store().grant("a");
        StoreClient.await(store().backend().connect());
        StoreClient.await(store().backend().connect());
        assertThat(store().release(held)).isEqualTo(ReleaseAnswer.RELEASED);
    }

    /** The engine cancels an attempt that takes too long, and begins another one for the next caller. */
    @Test
    default void connectingAgainAfterACancelledAttemptConnects() {
        LockBackend backend = another();
        try {
            backend.connect().toCompletableFuture().cancel(true);
            StoreClient.await(backend.connect());
            new StoreClient(backend, "unused")
                    .grant(new AcquireCommand(store().id("a"), store().token(), LONG, 1, false));
        } finally {
            backend.close();
        }
    }

    /** Operations open the connections that they need. */
    @Test
    default void theFirstOperationsMayBeConcurrent() {
        LockBackend backend = another();
        try {
            List<CompletionStage<AcquireAnswer>> answers = IntStream.range(0, 20)
                    .mapToObj(i -> backend.acquire(
                            new AcquireCommand(store().id("first-" + i), store().token(), LONG, 1, false)))
                    .toList();
            assertThat(answers.stream().map(StoreClient::await)).allMatch(Granted.class::isInstance);
        } finally {
            backend.close();
        }
    }

    /** A number of another unit is far from the present century. */
    @Test
    default void aClockIsInMilliseconds() {
        StoreClient.await(store().backend().clockMillis())
                .ifPresent(millis -> assertThat(Instant.ofEpochMilli(millis))
                        .isBetween("2020-01-01T00:00:00Z", "2200-01-01T00:00:00Z"));
    }

    @Test
    default void leasesOutliveTheirBackend() {
        LockBackend shortLived = another();
        AcquireCommand command = new AcquireCommand(store().id("a"), store().token(), LONG, 1, false);
        Held held = new StoreClient(shortLived, "unused").grant(command);
        shortLived.close();
        store().busy(held.id());
        assertThat(store().release(held)).isEqualTo(ReleaseAnswer.RELEASED);
    }

    @Test
    default void closingTwiceIsHarmless() {
        LockBackend closed = another();
        closed.close();
        closed.close();
        store().grant("a");
    }

    @Test
    default void aClosedBackendAnswersEveryOperationWithAFailedStage() {
        LockBackend closed = another();
        closed.close();
        assertFails(closed.acquire(new AcquireCommand(store().id("a"), store().token(), LONG, 1, false)));
        assertFails(closed.renew(List.of(new RenewCommand(store().id("a"), store().token(), LONG))));
        assertFails(closed.release(new ReleaseCommand(store().id("a"), store().token())));
        if (supports(Capability.HOLDERS)) {
            assertFails(closed.describe(store().id("a")));
        }
        if (supports(Capability.LISTING)) {
            assertFails(closed.list("unused", 1));
        }
        if (supports(Capability.REVOCATION)) {
            assertFails(closed.revoke(store().id("a"), 1));
        }
        store().grant("a");
    }

    @Test
    default void aHealthyStoreCanBeInspected() {
        assertThat(StoreClient.await(store().backend().inspect())).isNotNull();
    }

    private static void assertFails(CompletionStage<?> stage) {
        assertThatThrownBy(() -> stage.toCompletableFuture().get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class);
    }
}
