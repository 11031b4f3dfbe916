package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.RenewAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A wake-up that brings the lease, which the store has granted for a second. */
class GrantedWakeupTests extends EngineInVirtualTime {

    private static final Duration PROVISIONAL = Duration.ofSeconds(1);

    private static final Granted GRANT = new Granted(7, PROVISIONAL);

    private CompletableFuture<Object> wakeup = new CompletableFuture<>();

    @BeforeEach
    void beBusy() {
        backend.onAcquire = command -> {
            wakeup = new CompletableFuture<>();
            return ScriptedBackend.done(new Busy(Duration.ofSeconds(5), wakeup, true, Duration.ofMillis(900)));
        };
    }

    @Test
    void theCallerGetsTheLockWithoutAskingAgain() {
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(2));
        wakeup.complete(GRANT);
        assertThat(granted(result).fencingToken()).isEqualTo(7);
        assertThat(backend.acquired).hasSize(1);
        assertThat(backend.released).isEmpty();
    }

    @Test
    void theLeaseIsRenewedAtOnceForItsWholeTtl() {
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(2));
        wakeup.complete(GRANT);
        assertThat(backend.renewed).hasSize(1);
        assertThat(backend.renewed.get(0).get(0).ttl()).isEqualTo(TTL);
        assertThat(backend.renewed.get(0).get(0).token())
                .isEqualTo(backend.acquired.get(0).token());
        assertThat(granted(result).remaining()).isGreaterThan(TTL.dividedBy(2));
        time.pass(TTL.dividedBy(4));
        assertThat(backend.renewed).hasSize(1);
    }

    /** Processes that compete for a lock would otherwise wait for callers that came after their own. */
    @Test
    void theLeaseServesEachCallerThatWaitsAtTheGrantOnce() {
        CompletableFuture<Optional<LockHandle>> first = waitFor(Duration.ofSeconds(9));
        CompletableFuture<Optional<LockHandle>> second = waitFor(Duration.ofSeconds(9));
        wakeup.complete(GRANT);
        CompletableFuture<Optional<LockHandle>> late = waitFor(Duration.ofSeconds(9));

        granted(first).release();
        granted(second).release();

        assertThat(late).isNotDone();
        assertThat(backend.released).hasSize(1);
        assertThat(backend.acquired).hasSize(2);
    }

    @Test
    void itsValidityCountsFromTheQuestion() {
        backend.onRenew = commands -> ScriptedBackend.never();
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(2));
        time.pass(Duration.ofMillis(300));
        wakeup.complete(GRANT);
        assertThat(granted(result).remaining()).isPositive().isLessThan(Duration.ofMillis(700));
        time.pass(Duration.ofMillis(700));
        assertThat(granted(result).isHeld()).isFalse();
    }

    /** The renewal is sent at once, but its answer may be awaited for longer than the lease lasts. */
    @Test
    void itsHolderIsNotifiedOfTheLossWhenItEnds() {
        backend.onRenew = commands -> ScriptedBackend.never();
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(2));
        wakeup.complete(GRANT);
        assertThat(result).isCompleted();
        time.pass(PROVISIONAL.minusMillis(5));
        assertThat(listener.events).contains("lost EXPIRED");
    }

    @Test
    void theHoldCountsFromItsBeginning() {
        CompletableFuture<Optional<LockHandle>> result = locker.tryLockAsync(LockRequest.of("service")
                        .withWaitTime(Duration.ofSeconds(2))
                        .withMinHoldTime(Duration.ofSeconds(10)))
                .toCompletableFuture();
        time.pass(Duration.ofMillis(300));
        wakeup.complete(GRANT);
        assertThat(granted(result).release()).isTrue();
        assertThat(backend.released.get(0).retainFor()).isGreaterThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aGrantThatIsTooOldIsRemovedAndAskedForAgain() {
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(5));
        // the thread of the caller stands still for longer than the validity
        time.freeze(PROVISIONAL);
        wakeup.complete(GRANT);
        assertThat(result).isNotDone();
        time.pass(Duration.ofSeconds(1));
        assertThat(backend.released.get(0).token())
                .isEqualTo(backend.acquired.get(0).token());
        assertThat(backend.acquired.get(1).token())
                .isNotEqualTo(backend.acquired.get(0).token());
    }

    @Test
    void aGrantThatIsNotTakenIsReleased() {
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(2));
        CompletableFuture<Object> last = wakeup;
        result.cancel(true);
        assertThat(last.complete(GRANT)).isFalse();
        time.pass(Duration.ZERO);
        assertThat(backend.released).hasSize(1);
        assertThat(backend.released.get(0).token())
                .isEqualTo(backend.acquired.get(0).token());
    }

    @Test
    void aQuestionThatIsRepeatedIsTheSame() {
        Function<AcquireCommand, CompletionStage<AcquireAnswer>> busy = backend.onAcquire;
        backend.onAcquire = command -> ScriptedBackend.done(new Granted(1));
        LockHandle before = locker.lock(LockRequest.of("service").withAutoRenew(false));
        backend.onAcquire = busy;
        CompletableFuture<Optional<LockHandle>> next = waitFor(Duration.ofSeconds(9));
        before.release();
        CompletableFuture<Optional<LockHandle>> behind = waitFor(Duration.ofSeconds(9));
        time.pass(Duration.ofSeconds(4));
        assertThat(backend.acquired).hasSizeGreaterThan(3);
        assertThat(backend.acquired.stream()
                        .skip(1)
                        .map(command -> command.token() + " " + command.fencingTokens())
                        .distinct())
                .hasSize(1);
        assertThat(next).isNotDone();
        assertThat(behind).isNotDone();
    }

    @Test
    void withoutAutomaticRenewalTheLeaseIsRenewedUntilItHasItsTtl() {
        backend.onRenew = commands -> ScriptedBackend.done(List.of(RenewAnswer.UNKNOWN));
        CompletableFuture<Optional<LockHandle>> result = locker.tryLockAsync(LockRequest.of("service")
                        .withWaitTime(Duration.ofSeconds(2))
                        .withAutoRenew(false))
                .toCompletableFuture();
        wakeup.complete(GRANT);
        assertThat(backend.renewed).hasSize(1);
        backend.onRenew = commands -> ScriptedBackend.done(List.of(RenewAnswer.RENEWED));
        time.pass(PROVISIONAL);
        assertThat(backend.renewed).hasSize(2);
        assertThat(backend.renewed.get(1).get(0).ttl()).isEqualTo(TTL);
        assertThat(granted(result).isHeld()).isTrue();
        time.pass(TTL.minusSeconds(5));
        assertThat(backend.renewed).hasSize(2);
    }

    /** The renewal is sent with the grant, so a look at all leases of the process would find nothing to do. */
    @Test
    void theWatchdogDoesNotLookAtAllLeasesAtOnce() {
        backend.onRenew = commands -> ScriptedBackend.never();
        List<Long> delays = new ArrayList<>();
        LockEngine other = time.engine(
                listener,
                time,
                (task, delay) -> {
                    delays.add(delay);
                    return time.schedule(task, delay);
                },
                VirtualTime.callersThread());
        CompletableFuture<Optional<LockHandle>> result = other.locker(
                        VirtualTime.settings("other").withTtl(TTL), "scripted", backend)
                .tryLockAsync(LockRequest.of("service").withWaitTime(Duration.ofSeconds(2)))
                .toCompletableFuture();
        delays.clear();
        wakeup.complete(GRANT);
        assertThat(granted(result).isHeld()).isTrue();
        assertThat(delays).isNotEmpty().allSatisfy(delay -> assertThat(delay).isPositive());
        time.close(other);
    }

    /** The watchdog plans its next look anew with each renewal that fails. */
    @Test
    void aGrantOfAnotherLockDoesNotDelayTheNextRenewalBeyondTheValidity() {
        List<CompletableFuture<List<RenewAnswer>>> answers = new ArrayList<>();
        backend.onRenew = commands -> {
            CompletableFuture<List<RenewAnswer>> answer = new CompletableFuture<>();
            answers.add(answer);
            return answer;
        };
        CompletableFuture<Optional<LockHandle>> first = waitFor(Duration.ofSeconds(2));
        wakeup.complete(GRANT);
        time.pass(Duration.ofMillis(2));
        answers.get(0).complete(List.of(RenewAnswer.UNKNOWN));
        locker.tryLockAsync(LockRequest.of("other").withWaitTime(Duration.ofSeconds(2)));
        time.pass(Duration.ofMillis(10));
        wakeup.complete(GRANT);
        backend.onRenew = commands -> ScriptedBackend.done(
                commands.stream().map(command -> RenewAnswer.RENEWED).toList());
        time.pass(Duration.ofMillis(2));
        answers.get(1).complete(List.of(RenewAnswer.RENEWED));
        time.pass(PROVISIONAL.multipliedBy(2));
        assertThat(granted(first).isHeld()).isTrue();
    }

    /** A tenth of the ttl, which other leases tolerate, is longer than the whole lease. */
    @Test
    void aGrantThatArrivesAfterASuspensionIsNotAccepted() {
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(9));
        time.moveWall(Duration.ofMillis(900));
        wakeup.complete(GRANT);
        assertThat(result).isNotDone();
        time.pass(PROVISIONAL);
        assertThat(backend.released.get(0).token())
                .isEqualTo(backend.acquired.get(0).token());
        assertThat(backend.acquired.get(1).token())
                .isNotEqualTo(backend.acquired.get(0).token());
    }

    @Test
    void aLockIsNotHeldAfterASuspensionUntilTheStoreConfirmsIt() {
        CompletableFuture<List<RenewAnswer>> answer = new CompletableFuture<>();
        backend.onRenew = commands -> answer;
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(2));
        wakeup.complete(GRANT);
        assertThat(granted(result).isHeld()).isTrue();
        time.moveWall(Duration.ofMillis(900));
        assertThat(granted(result).isHeld()).isFalse();
        answer.complete(List.of(RenewAnswer.RENEWED));
        time.pass(Duration.ofMillis(500));
        assertThat(granted(result).isHeld()).isTrue();
    }

    @Test
    void aLeaseThatTheStoreDeniesIsLost() {
        backend.onRenew = commands -> ScriptedBackend.done(List.of(RenewAnswer.NOT_OWNER));
        CompletableFuture<Optional<LockHandle>> result = waitFor(Duration.ofSeconds(2));
        wakeup.complete(GRANT);
        assertThat(granted(result).isHeld()).isFalse();
        assertThat(listener.events).contains("lost NOT_OWNER");
    }

    @Test
    void theLeaseIsHandedOverBeforeItsRenewalIsAnswered() {
        backend.onRenew = commands -> ScriptedBackend.never();
        CompletableFuture<Optional<LockHandle>> first = waitFor(Duration.ofSeconds(2));
        CompletableFuture<Optional<LockHandle>> second = waitFor(Duration.ofSeconds(2));
        wakeup.complete(GRANT);
        assertThat(granted(first).release()).isTrue();
        assertThat(granted(second).fencingToken()).isEqualTo(8);
        assertThat(backend.released).isEmpty();
    }

    private static LockHandle granted(CompletableFuture<Optional<LockHandle>> result) {
        return result.getNow(Optional.empty()).orElseThrow();
    }

    private CompletableFuture<Optional<LockHandle>> waitFor(Duration waitTime) {
        return locker.tryLockAsync(LockRequest.of("service").withWaitTime(waitTime))
                .toCompletableFuture();
    }
}
