package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.ReleaseCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The requests to the store while a caller waits, and the events for listeners. */
class StoreAcquisitionTests extends EngineInVirtualTime {

    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void theCommandSaysWhetherTheCallerWillWait() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG));
        waitFor(Duration.ofSeconds(1));
        time.pass(Duration.ofSeconds(1));
        int last = backend.acquired.size() - 1;
        assertThat(last).isPositive();
        assertThat(backend.acquired.subList(0, last)).allMatch(AcquireCommand::queueIfBusy);
        assertThat(backend.acquired.get(last).queueIfBusy()).isFalse();
    }

    /** For the maker of a store. The outcome is unknown, so the token is removed. */
    @Test
    void anAnswerThatIsNullIsNoAnswer() {
        backend.onAcquire = command -> CompletableFuture.completedFuture(null);
        assertThatThrownBy(() -> locker.tryLock("service", Duration.ZERO))
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("the backend completed 'acquire' with null");
        time.pass(Duration.ofSeconds(1));
        assertThat(backend.released)
                .extracting(ReleaseCommand::token)
                .contains(backend.acquired.get(0).token());
    }

    @Test
    void aWakeupIsCancelledBeforeTheNextAttempt() {
        List<CompletableFuture<?>> hints = new ArrayList<>();
        backend.onAcquire = command -> {
            CompletableFuture<Void> hint = ScriptedBackend.never();
            hints.add(hint);
            return ScriptedBackend.done(new Busy(Duration.ofMillis(10), hint, false));
        };
        CompletableFuture<Optional<LockHandle>> result = waitFor(LONG);
        time.pass(Duration.ofSeconds(1));
        assertThat(hints).hasSizeGreaterThan(1);
        int last = hints.size() - 1;
        assertThat(hints.subList(0, last)).allMatch(CompletableFuture::isCancelled);
        assertThat(hints.get(last)).isNotDone();
        result.cancel(true);
        assertThat(hints.get(last)).isCancelled();
    }

    @Test
    void aPendingCommandIsCancelledWithItsCaller() {
        CompletableFuture<AcquireAnswer> answer = ScriptedBackend.never();
        backend.onAcquire = command -> answer;
        waitFor(LONG).cancel(true);
        assertThat(answer).isCancelled();
    }

    @Test
    void anAnswerThatArrivesAsItsCallerGivesUpLeavesNoWakeup() {
        CompletableFuture<Void> hint = ScriptedBackend.never();
        backend.onAcquire = command -> new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                complete(new Busy(LONG, hint, true));
                return super.cancel(mayInterruptIfRunning);
            }
        };
        waitFor(LONG).cancel(true);
        assertThat(hint).isCancelled();
    }

    @Test
    void theStoreMayGrantLessThanItWasAskedFor() {
        backend.onAcquire = command -> ScriptedBackend.done(new Granted(1, Duration.ofSeconds(10)));
        assertThat(locker.lock("less").remaining()).isEqualTo(Duration.ofMillis(9_898));
        backend.onAcquire = command -> ScriptedBackend.done(new Granted(1, Duration.ofSeconds(50)));
        assertThat(locker.lock("more").remaining()).isEqualTo(Duration.ofMillis(29_698));
    }

    @Test
    void aGrantIsNoGrantFromTheInstantAtWhichItIsInvalid() {
        backend.onAcquire = command -> {
            time.freeze(Duration.ofMillis(29_697));
            return ScriptedBackend.done(new Granted(1));
        };
        assertThat(locker.tryLock("service"))
                .hasValueSatisfying(lock -> assertThat(lock.remaining()).isEqualTo(Duration.ofMillis(1)));
    }

    /** The monotonic clock stood still, so that the lease may have ended long ago (rules.md R3). */
    @Test
    void aGrantThatArrivesAfterASuspensionIsRemovedAndAskedForAgain() {
        AtomicInteger asked = new AtomicInteger();
        backend.onAcquire = command -> {
            if (asked.incrementAndGet() == 1) {
                time.moveWall(Duration.ofMinutes(10));
            }
            return ScriptedBackend.done(new Granted(asked.get()));
        };
        CompletableFuture<Optional<LockHandle>> result = waitFor(LONG);
        time.pass(Duration.ofSeconds(1));
        assertThat(result.join())
                .hasValueSatisfying(lock -> assertThat(lock.fencingToken()).isEqualTo(2));
        assertThat(backend.released.get(0).token())
                .isEqualTo(backend.acquired.get(0).token());
    }

    @Test
    void repeatedFailuresOfTheStoreIncreaseTheBackoff() {
        List<Long> askedAt = new ArrayList<>();
        long start = time.nanos();
        backend.onAcquire = command -> {
            askedAt.add((time.nanos() - start) / 1_000_000);
            return CompletableFuture.failedFuture(new BackendFailure(Effect.NOT_DONE, "LOADING", null));
        };
        waitFor(LONG);
        time.pass(Duration.ofMinutes(1));
        assertThat(askedAt.get(1)).isLessThanOrEqualTo(11);
        assertThat(askedAt.get(8)).isBetween(20L, 2_200L);
        assertThat(askedAt).hasSizeBetween(120, 480);
    }

    @Test
    void listenersAreNotifiedOfTheStartAndOfTheWaitTime() {
        LockHandle holder = locker.lock("service");
        assertThat(listener.acquisitions).containsExactly("started service", "ACQUIRED service after PT0S");
        listener.acquisitions.clear();
        waitFor(LONG);
        time.pass(Duration.ofSeconds(3));
        holder.close();
        assertThat(listener.acquisitions).containsExactly("started service", "ACQUIRED service after PT3S");
    }

    private CompletableFuture<Optional<LockHandle>> waitFor(Duration waitTime) {
        return locker.tryLockAsync(LockRequest.of("service").withWaitTime(waitTime))
                .toCompletableFuture();
    }
}
