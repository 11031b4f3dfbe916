package io.leasehold.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The waits for an answer that is delivered on an executor. */
class OffloadedFutureTests {

    private final CompletableFuture<Integer> source = new CompletableFuture<>();

    @Test
    void aThreadThatWaitsNeedsNoThreadOfTheExecutor() throws Exception {
        OffloadedFuture<Integer> delivered = OffloadedFuture.of(source, task -> {});
        source.complete(7);
        assertThat(delivered).isNotDone();
        assertThat(delivered.get()).isEqualTo(7);
    }

    @Test
    void aWaitEndsWhenItsCallerHasCompletedTheFuture() {
        OffloadedFuture<Integer> delivered = OffloadedFuture.of(source, Runnable::run);
        delivered.complete(8);
        assertThat(delivered.join()).isEqualTo(8);
        assertThat(source).isNotDone();
    }

    @Test
    void aCallerThatPollsLeavesNothingBehind() {
        OffloadedFuture<Integer> delivered = OffloadedFuture.of(source, Runnable::run);
        for (int poll = 0; poll < 5; poll++) {
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> delivered.get(1, TimeUnit.MICROSECONDS));
        }
        assertThat(delivered.getNumberOfDependents()).isEqualTo(1);
        assertThat(source.getNumberOfDependents()).isLessThan(3);
    }
}
