package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.engine.Reaper.Removal;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import io.leasehold.testsupport.QuietLog;
import io.leasehold.testsupport.RecordedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The frequency and the duration of removals of tokens from the store. */
class ReaperTests extends EngineInVirtualTime {

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final List<Long> askedAt = new ArrayList<>();

    private final long start = time.nanos();

    @AfterEach
    @Override
    void close() {
        super.close();
        quiet.close();
    }

    @Test
    void itRemovesImmediatelyAndThenBacksOff() {
        storeFails();
        locker.lock("service").close();
        askedAt.clear();
        time.pass(Duration.ofMillis(1_700));
        assertThat(askedAt).containsExactly(0L, 20L, 60L, 140L, 300L, 620L, 1_120L, 1_620L);
    }

    @Test
    void aTokenThatMustHaveExpiredIsGivenUp() {
        storeFails();
        locker.lock("service").close();
        time.pass(Duration.ofMillis(34_900));
        assertThat(locker.status().pendingRemovals()).isOne();
        time.pass(Duration.ofMillis(600));
        assertThat(locker.status().pendingRemovals()).isZero();
        assertThat(time.scheduled()).isZero();
    }

    /** An extended lease lives longer than its ttl, and so does the removal. */
    @Test
    void anExtendedLeaseIsRemovedUntilItMustHaveExpired() {
        LockHandle lock = locker.lock("service");
        lock.renew(Duration.ofHours(1));
        time.pass(Duration.ofMinutes(10));
        storeFails();
        lock.close();
        time.pass(Duration.ofMinutes(49));
        assertThat(locker.status().pendingRemovals()).isOne();
        time.pass(Duration.ofMinutes(2));
        assertThat(locker.status().pendingRemovals()).isZero();
    }

    /** The store may have executed it, and no other holder gets the lock until then. */
    @Test
    void aLeaseWithAnUnansweredRenewalForLongerIsRemovedUntilThatMustHaveExpired() {
        LockHandle lock = locker.lock("service");
        backend.onRenew = commands -> CompletableFuture.failedFuture(new IllegalStateException("store is down"));
        assertThatExceptionOfType(LockBackendException.class).isThrownBy(() -> lock.renew(Duration.ofHours(1)));
        storeFails();
        lock.close();
        time.pass(Duration.ofMinutes(59));
        assertThat(locker.status().pendingRemovals()).isOne();
        time.pass(Duration.ofMinutes(2));
        assertThat(locker.status().pendingRemovals()).isZero();
    }

    @Test
    void aLeaseIsGivenUpFiveSecondsAfterItsTtl() {
        storeFails();
        remove(Removal::ofQueued, TTL.plusSeconds(5).minusMillis(60));
        time.pass(Duration.ofSeconds(1));
        assertThat(askedAt).containsExactly(0L, 20L, 60L);
        assertThat(locker.status().pendingRemovals()).isZero();
        assertThat(locker.status().pendingRemovals()).isZero();
    }

    @Test
    void anAcquisitionIsGivenUpAMinuteAfterItsTtl() {
        storeFails();
        remove(Removal::ofAttempt, TTL.plusMinutes(1).minusMillis(60));
        time.pass(Duration.ofSeconds(1));
        assertThat(askedAt).containsExactly(0L, 20L, 60L);
        assertThat(locker.status().pendingRemovals()).isZero();
        assertThat(locker.status().pendingRemovals()).isZero();
    }

    /** A database may commit it seconds later, and nobody would have the lock for the rest of the ttl. */
    @Test
    void anAcquisitionThatIsExecutedLateIsRemoved() {
        AtomicBoolean stored = new AtomicBoolean();
        backend.onRelease = command ->
                ScriptedBackend.done(stored.getAndSet(false) ? ReleaseAnswer.RELEASED : ReleaseAnswer.NOT_OWNER);
        remove(Removal::ofAttempt, Duration.ofSeconds(1));
        time.pass(Duration.ofSeconds(8));
        stored.set(true);
        time.pass(Duration.ofSeconds(10));
        assertThat(stored).isFalse();
    }

    @Test
    void anAcquisitionIsRemovedUntilItsTtlHasPassed() {
        remove(Removal::ofAttempt, TTL.minusMillis(60));
        time.pass(Duration.ofMillis(60));
        assertThat(backend.released).hasSize(3);
        assertThatItAsksNoMore();
        remove(Removal::ofAttempt, TTL.minusMillis(60).minusNanos(1));
        time.pass(Duration.ofMillis(60));
        assertThat(backend.released).hasSize(6);
        time.pass(Duration.ofMillis(80));
        assertThat(backend.released).hasSize(7);
        assertThatItAsksNoMore();
    }

    @Test
    void aShutdownWaitsForTwoAnswersToAnAcquisitionAndForOneToALease() {
        remove(Removal::ofAttempt, Duration.ZERO);
        time.pass(Duration.ofMillis(19));
        assertThat(locker.status().pendingRemovals()).isOne();
        time.pass(Duration.ofMillis(1));
        assertThat(locker.status().pendingRemovals()).isZero();
        remove(Removal::ofQueued, Duration.ZERO);
        assertThat(locker.status().pendingRemovals()).isOne();
        time.pass(Duration.ZERO);
        assertThat(locker.status().pendingRemovals()).isZero();
        assertThat(time.scheduled()).as("further removals of the acquisition").isOne();
    }

    @Test
    void aLeaseThatTheStoreDoesNotKnowIsRemoved() {
        LockHandle lock = locker.lock("service");
        storeFails();
        lock.close();
        backend.onRelease = command -> ScriptedBackend.done(ReleaseAnswer.NOT_OWNER);
        time.pass(Duration.ZERO);
        assertThat(locker.status().pendingRemovals()).isZero();
        assertThatItAsksNoMore();
    }

    @Test
    void aReleaseThatKeepsTheLockIsRepeatedWithTheRemainingTime() {
        LockHandle lock = locker.lock(LockRequest.of("service").withMinHoldTime(Duration.ofSeconds(5)));
        time.pass(Duration.ofSeconds(1));
        storeFails();
        lock.close();
        time.pass(Duration.ofMillis(140));
        assertThat(backend.released.stream().map(ReleaseCommand::retainFor))
                .containsExactly(
                        Duration.ofMillis(4_001),
                        Duration.ofMillis(4_001),
                        Duration.ofMillis(3_981),
                        Duration.ofMillis(3_941),
                        Duration.ofMillis(3_861));
        time.pass(Duration.ofSeconds(6));
        assertThat(backend.released.get(backend.released.size() - 1).retainFor())
                .isZero();
    }

    @Test
    void aLockThatIsLostAtTheShutdownIsKeptForItsMinimumHoldTime() {
        locker.lock(LockRequest.of("service").withMinHoldTime(Duration.ofSeconds(5)));
        time.pass(Duration.ofSeconds(1));
        locker.releaseAll();
        time.pass(Duration.ZERO);
        assertThat(backend.released.get(0).retainFor()).isEqualTo(Duration.ofMillis(4_001));
    }

    @Test
    void aStoreThatIsSilentIsAskedAgainAfterTheCommandTimeout() {
        LockHandle lock = locker.lock("service");
        List<CompletableFuture<ReleaseAnswer>> asked = new ArrayList<>();
        storeFails();
        lock.close();
        backend.onRelease = command -> {
            asked.add(ScriptedBackend.never());
            return asked.get(asked.size() - 1);
        };
        time.pass(Duration.ofMillis(999));
        assertThat(asked).hasSize(1);
        time.pass(Duration.ofMillis(22));
        assertThat(asked).hasSize(2);
        assertThat(asked.get(0)).isCancelled();
        asked.get(1).complete(ReleaseAnswer.RELEASED);
        assertThat(locker.status().pendingRemovals()).isZero();
        assertThatItAsksNoMore();
    }

    @Test
    void aStoreThatThrowsIsAskedAgain() {
        LockHandle lock = locker.lock("service");
        backend.onRelease = command -> {
            throw new IllegalStateException("store is down");
        };
        lock.close();
        time.pass(Duration.ofMillis(10));
        backend.onRelease = command -> ScriptedBackend.done(ReleaseAnswer.RELEASED);
        time.pass(Duration.ofMillis(10));
        assertThat(backend.released).hasSize(3);
        assertThatItAsksNoMore();
    }

    /** Many callers may give up in a short time, and their first removal is the one that matters. */
    @Test
    void tokensThatAreRemovedAgainTakeNoPlaceFromOthers() {
        for (int i = 0; i < 10_000; i++) {
            remove(Removal::ofAttempt, Duration.ZERO);
            time.pass(Duration.ofNanos(1));
        }
        time.pass(Duration.ofMillis(20));
        assertThat(backend.released).hasSize(20_000);
        assertThat(locker.status().pendingRemovals()).isZero();
        assertThat(time.scheduled()).isEqualTo(10_000);
        remove(Removal::ofAttempt, Duration.ZERO);
        time.pass(Duration.ofMillis(20));
        assertThat(backend.released).hasSize(20_002);
        assertThat(time.scheduled()).as("the last one has no place").isEqualTo(10_000);
    }

    @Test
    void beyondTenThousandTokensAreLeftToExpire() {
        try (RecordedLog log = new RecordedLog(Reaper.class, Level.WARN)) {
            for (int i = 0; i < 10_002; i++) {
                remove(Removal::ofQueued, Duration.ZERO);
                time.freeze(Duration.ofNanos(1));
            }
            assertThat(log.messages()).hasSize(2).allMatch(message -> message.contains("service"));
        }
        assertThat(locker.status().pendingRemovals()).isEqualTo(10_000);
        time.pass(Duration.ZERO);
        assertThat(backend.released).hasSize(10_000);
        assertThat(locker.status().pendingRemovals()).isZero();
    }

    @Test
    void aFurtherRemovalIsWaitedForUntilItIsAnswered() {
        remove(Removal::ofAttempt, Duration.ZERO);
        remove(Removal::ofQueued, Duration.ZERO);
        time.pass(Duration.ofMillis(20));
        assertThat(backend.released).hasSize(3);
        CompletableFuture<ReleaseAnswer> answer = new CompletableFuture<>();
        backend.onRelease = command -> answer;
        removeAgain();
        assertThat(backend.released).hasSize(4);
        assertThat(locker.status().pendingRemovals()).isOne();
        answer.complete(ReleaseAnswer.NOT_OWNER);
        assertThat(locker.status().pendingRemovals()).isZero();
    }

    @Test
    void aFurtherRemovalIsWaitedForNoLongerThanTheCommandTimeout() {
        remove(Removal::ofAttempt, Duration.ZERO);
        time.pass(Duration.ofMillis(20));
        backend.onRelease = command -> new CompletableFuture<>();
        removeAgain();
        time.pass(Duration.ofMillis(999));
        assertThat(locker.status().pendingRemovals()).isOne();
        time.pass(Duration.ofMillis(1));
        assertThat(locker.status().pendingRemovals()).isZero();
    }

    @Test
    void whatIsRemovedForGoodIsNotRemovedAgain() {
        remove(Removal::ofAttempt, TTL);
        time.pass(Duration.ofSeconds(1));
        assertThat(locker.status().pendingRemovals()).isZero();
        int removals = backend.released.size();
        removeAgain();
        assertThat(backend.released).hasSize(removals);
    }

    /** The tokens of an unavailable store would otherwise leave no place for those of the others. */
    @Test
    void theTokensOfOneLockerDoNotCountForAnother() {
        for (int i = 0; i < 10_000; i++) {
            remove(Removal::ofQueued, Duration.ZERO);
            time.freeze(Duration.ofNanos(1));
        }
        ScriptedBackend available = new ScriptedBackend();
        LeaseLocker other = engine.locker(VirtualTime.settings("other").withTtl(TTL), "available", available);
        available.onRelease = command -> CompletableFuture.failedFuture(new IllegalStateException("lost reply"));
        other.lock("service").close();
        assertThat(other.status().pendingRemovals()).isOne();
    }

    /** Hands a token over to the reaper some time after its command was sent. */
    private void remove(Kind kind, Duration age) {
        LeaseTerms terms = LeaseTerms.of("deploy", TTL, true, null, Duration.ZERO, Duration.ofSeconds(1));
        LockId id = LockId.of("deploy", "service");
        EngineResources resources = locker.state().resources();
        resources
                .reaper()
                .remove(kind.removal(
                        locker.state().backlog(),
                        id,
                        resources.tokens().next(null),
                        terms,
                        time.nanos() - age.toNanos()));
    }

    private void removeAgain() {
        locker.state().resources().reaper().removeAgain(locker.state().backlog());
    }

    private interface Kind {

        Removal removal(Reaper.Backlog backlog, LockId id, Token token, LeaseTerms terms, long sentAt);
    }

    private void assertThatItAsksNoMore() {
        int asked = backend.released.size();
        time.pass(Duration.ofMinutes(1));
        assertThat(backend.released).hasSize(asked);
        assertThat(time.scheduled()).isZero();
    }

    private void storeFails() {
        backend.onRelease = command -> {
            askedAt.add((time.nanos() - start) / 1_000_000);
            return CompletableFuture.failedFuture(new IllegalStateException("store is down"));
        };
    }
}
