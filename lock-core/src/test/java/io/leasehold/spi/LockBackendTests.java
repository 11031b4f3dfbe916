package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.BackendFailure.Effect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A backend that implements only what it must. */
class LockBackendTests {

    private static final Duration AT_ONCE = Duration.ofSeconds(20);

    @Test
    void aStoreThatAnswersIsInspectedWithoutFindings() {
        assertThat(new Minimal(CompletableFuture.completedFuture(List.of(RenewAnswer.NOT_OWNER))).inspect())
                .succeedsWithin(AT_ONCE)
                .isEqualTo(List.of());
    }

    /** The health check would otherwise report a store that is down as reachable. */
    @Test
    void aStoreThatDoesNotAnswerIsNotInspected() {
        BackendFailure away = new BackendFailure(Effect.NOT_DONE, "the store is away", null);
        assertThat(new Minimal(CompletableFuture.failedFuture(away)).inspect())
                .failsWithin(AT_ONCE)
                .withThrowableThat()
                .withCause(away);
        assertThat(new Minimal(CompletableFuture.completedFuture(List.of(RenewAnswer.UNKNOWN))).inspect())
                .failsWithin(AT_ONCE)
                .withThrowableThat()
                .withCauseInstanceOf(BackendFailure.class);
    }

    private record Minimal(CompletionStage<List<RenewAnswer>> renewed) implements LockBackend {

        @Override
        public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
            return renewed;
        }

        @Override
        public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
            throw new UnsupportedOperationException();
        }
    }
}
