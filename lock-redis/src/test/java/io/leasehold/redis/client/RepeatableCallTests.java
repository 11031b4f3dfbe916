package io.leasehold.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A call that may be repeated after a step. */
class RepeatableCallTests {

    private final CompletableFuture<String> first = new CompletableFuture<>();

    private final CompletableFuture<String> second = new CompletableFuture<>();

    private final CompletableFuture<Supplier<CompletableFuture<String>>> step = new CompletableFuture<>();

    private final List<String> unused = new ArrayList<>();

    private final CompletableFuture<String> call =
            CancellableCall.repeatable(first, (answer, failure) -> step, unused::add);

    @Test
    void theSecondAnswerCounts() {
        first.complete("busy");
        step.complete(() -> second);
        assertThat(call).isNotDone();
        second.complete("granted");
        assertThat(call).isCompletedWithValue("granted");
    }

    @Test
    void withoutARepetitionTheFirstOutcomeCounts() {
        IllegalStateException failure = new IllegalStateException("refused");
        first.completeExceptionally(failure);
        step.complete(null);
        assertThat(call).failsWithin(Duration.ZERO).withThrowableThat().withCause(failure);
    }

    @Test
    void aStepThatFailsOrThrowsFailsTheCall() {
        first.complete("busy");
        IllegalStateException failure = new IllegalStateException("closed");
        step.completeExceptionally(failure);
        assertThat(call).failsWithin(Duration.ZERO).withThrowableThat().withCause(failure);
        CompletableFuture<String> thrown = CancellableCall.repeatable(
                first,
                (answer, none) -> {
                    throw failure;
                },
                unused::add);
        assertThat(thrown).failsWithin(Duration.ZERO).withThrowableThat().withCause(failure);
    }

    @Test
    void aSecondCallThatThrowsFailsTheCall() {
        first.complete("busy");
        IllegalStateException failure = new IllegalStateException("closed");
        step.complete(() -> {
            throw failure;
        });
        assertThat(call).failsWithin(Duration.ZERO).withThrowableThat().withCause(failure);
    }

    @Test
    void aCancellationReachesTheCallInProgress() {
        first.complete("busy");
        step.complete(() -> second);
        call.cancel(false);
        assertThat(second).isCancelled();
    }

    @Test
    void aCallThatWasCancelledDuringTheStepIsNotRepeated() {
        first.complete("busy");
        call.cancel(false);
        step.complete(() -> second);
        assertThat(second).isNotDone();
        assertThat(unused).containsExactly("busy");
    }

    @Test
    void anAnswerThatCannotBeReadFailsTheCall() {
        CompletableFuture<String> unread = CancellableCall.ofReply(first, answer -> {
            throw new NoClassDefFoundError("Granted");
        });
        first.complete("granted");
        assertThat(unread).failsWithin(Duration.ZERO).withThrowableThat().withStackTraceContaining("Granted");
    }
}
