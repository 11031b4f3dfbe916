package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.RenewalRound;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.support.Ticker;
import io.leasehold.testsupport.RecordedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The times and durations of renewals, and the effects of their answers. */
class RenewalTests extends EngineInVirtualTime {

    /** A twelfth of the ttl, and the pace of the watchdog if a check for another reason came just before. */
    private static final long LONGEST_GAP = 2_500 + 1_000;

    @Test
    void aLockIsNotRenewedBeforeAThirdOfItsTtl() {
        locker.lock("service");
        time.pass(Duration.ofMillis(9_400));
        assertThat(backend.renewed).isEmpty();
        time.pass(Duration.ofMillis(600));
        assertThat(backend.renewed).hasSize(1);
        time.pass(Duration.ofMillis(9_200));
        assertThat(backend.renewed).hasSize(1);
    }

    /** Two thirds of the ttl before the end of validity, which is 302 ms before that of the ttl. */
    @Test
    void eachRenewalIsDue9698MillisecondsAfterTheLastOne() {
        long start = time.nanos();
        List<Long> askedAt = new ArrayList<>();
        backend.onRenew = commands -> {
            askedAt.add((time.nanos() - start) / 1_000_000);
            return confirm(commands);
        };
        locker.lock("service");
        time.pass(Duration.ofSeconds(40));
        assertThat(askedAt).containsExactly(9_698L, 2 * 9_698L, 3 * 9_698L, 4 * 9_698L);
    }

    /** The monotonic clock may show any number, also one below zero. */
    @Test
    void aLockWithoutMaximumHoldTimeIsRenewedForItsTtlWhateverTheClockShows() {
        time.freeze(Duration.ofDays(-1));
        locker.lock("service");
        time.pass(Duration.ofSeconds(10));
        assertThat(backend.renewed)
                .singleElement()
                .satisfies(
                        batch -> assertThat(batch).extracting(RenewCommand::ttl).containsExactly(TTL));
    }

    @Test
    void locksThatAreDueAtNearlyTheSameTimeAreRenewedTogether() {
        locker.lock("a");
        time.pass(Duration.ofMillis(2_900));
        locker.lock("b");
        time.pass(Duration.ofMillis(400));
        locker.lock("c");
        time.pass(Duration.ofSeconds(10));
        assertThat(backend.renewed.stream().map(List::size)).containsExactly(2, 1);
    }

    @Test
    void aRenewalIsSentEarlyByExactlyATenthOfTheTtl() {
        locker.lock("a");
        time.pass(Duration.ofSeconds(3));
        locker.lock("b");
        time.pass(Duration.ofNanos(1));
        locker.lock("c");
        time.pass(Duration.ofSeconds(7));
        assertThat(backend.renewed.stream().map(List::size)).containsExactly(2);
    }

    @Test
    void aLockWhoseReleaseIsNotAnsweredIsNotRenewed() {
        LockHandle lock = locker.lock("service");
        time.pass(Duration.ofMillis(9_500));
        backend.onRelease = command -> ScriptedBackend.never();
        lock.releaseAsync();
        time.pass(Duration.ofMinutes(2));
        assertThat(backend.renewed).isEmpty();
        assertThat(time.scheduled()).isZero();
    }

    /** Validity ends 302 ms before the ttl. A renewal could prolong it to 302 ms before the maximum hold time. */
    @Test
    void aLeaseThatReachesTheMaximumHoldTimeButForTwoAllowancesIsNotRenewed() {
        locker.lock(LockRequest.of("service").withMaxHoldTime(Duration.ofMillis(30_302)));
        time.pass(TTL);
        assertThat(backend.renewed).isEmpty();
        assertThat(listener.events).endsWith("lost MAX_HOLD_TIME");
        locker.lock(LockRequest.of("service").withMaxHoldTime(Duration.ofNanos(30_302_000_001L)));
        time.pass(TTL);
        assertThat(backend.renewed).isNotEmpty();
    }

    @Test
    void shortLivedLocksAreDueTogetherWithinATenthOfTheirTtl() {
        LeaseLocker quick =
                engine.locker(VirtualTime.settings("quick").withTtl(Duration.ofMillis(3_000)), "scripted", backend);
        quick.lock("a");
        time.pass(Duration.ofMillis(280));
        quick.lock("b");
        time.pass(Duration.ofMillis(60));
        quick.lock("c");
        time.pass(Duration.ofMillis(1_000));
        assertThat(backend.renewed.stream().map(List::size)).containsExactly(2, 1);
    }

    @Test
    void unconfirmedRenewalsAreRetriedMoreOftenTowardsTheEnd() {
        LockHandle lock = locker.lock("service");
        List<Long> asked = new ArrayList<>();
        backend.onRenew = commands -> {
            asked.add(time.nanos());
            return failure();
        };
        time.pass(Duration.ofSeconds(31));
        assertThat(lock.isHeld()).isFalse();
        List<Long> gaps = IntStream.range(1, asked.size())
                .mapToObj(i -> (asked.get(i) - asked.get(i - 1)) / 1_000_000)
                .toList();
        assertThat(gaps.subList(0, 3)).allMatch(gap -> gap >= 1_000 && gap <= LONGEST_GAP);
        assertThat(gaps).hasSizeBetween(20, 80).allMatch(gap -> gap >= 4 && gap <= LONGEST_GAP);
        assertThat(gaps.get(gaps.size() - 1)).isLessThan(12);
        assertThat(listener.events).containsOnlyOnce("at risk").containsOnlyOnce("lost EXPIRED");
    }

    @Test
    void aLockIsAtRiskAfterTwoThirdsOfItsTtlEachTime() {
        LockHandle lock = locker.lock("service");
        backend.onRenew = commands -> failure();
        time.pass(Duration.ofMillis(19_900));
        assertThat(listener.events).doesNotContain("at risk");
        time.pass(Duration.ofMillis(200));
        assertThat(listener.events).containsOnlyOnce("at risk");
        backend.onRenew = RenewalTests::confirm;
        time.pass(Duration.ofSeconds(4));
        assertThat(listener.events).endsWith("renew SUCCESS").containsOnlyOnce("at risk");
        backend.onRenew = commands -> failure();
        time.pass(Duration.ofSeconds(21));
        assertThat(Collections.frequency(listener.events, "at risk")).isEqualTo(2);
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void aStoreThatDoesNotAnswerIsAskedAgainAfterTheCommandTimeout() {
        locker.lock("service");
        backend.onRenew = commands -> ScriptedBackend.never();
        time.pass(Duration.ofMillis(10_500));
        assertThat(backend.renewed).hasSize(1);
        assertThat(listener.events).doesNotContain("renew FAILURE");
        time.pass(Duration.ofMillis(700));
        assertThat(listener.events).containsOnlyOnce("renew FAILURE");
        time.pass(Duration.ofSeconds(3));
        assertThat(backend.renewed).hasSize(2);
    }

    @Test
    void anAnswerThatIsTooShortIsNoAnswer() {
        LockHandle lock = locker.lock("service");
        backend.onRenew = commands -> ScriptedBackend.done(List.of());
        time.pass(Duration.ofSeconds(11));
        assertThat(listener.events).contains("renew FAILURE");
        assertThat(lock.isHeld()).isTrue();
        time.pass(Duration.ofSeconds(20));
        assertThat(lock.isHeld()).isFalse();
    }

    /** For the maker of a store, whose users would otherwise look for a fault of the server. */
    @Test
    void theLogNamesAnAnswerThatIsNone() {
        try (RecordedLog log = new RecordedLog(RenewalBatch.class)) {
            locker.lock("service");
            backend.onRenew = commands -> ScriptedBackend.done(List.of());
            time.pass(Duration.ofSeconds(11));
            assertThat(log.messages().get(0)).endsWith(": the backend gave 0 answers to 1 renewals");
            int before = log.messages().size();
            backend.onRenew = commands -> CompletableFuture.completedFuture(null);
            time.pass(Duration.ofSeconds(3));
            assertThat(log.messages().get(before)).endsWith(": the backend completed 'renew' with null");
        }
    }

    @Test
    void theLogNamesUnconfirmedRenewalsAndTheirReason() {
        try (RecordedLog log = new RecordedLog(RenewalBatch.class)) {
            locker.lock("service");
            time.pass(Duration.ofSeconds(10));
            assertThat(log.messages()).isEmpty();
            backend.onRenew = commands -> ScriptedBackend.never();
            time.pass(Duration.ofSeconds(11));
            backend.onRenew = commands -> failure();
            time.pass(Duration.ofSeconds(3));
            assertThat(log.messages()).hasSizeGreaterThan(1).allMatch(message -> message.contains("'deploy'"));
            assertThat(log.messages().get(0)).endsWith(": timed out");
            assertThat(log.messages().get(log.messages().size() - 1)).contains("store is down");
        }
    }

    /** A store answers for the locks that it reaches. Without a line, the others would be lost without a reason. */
    @Test
    void theLogNamesTheNumberOfLocksWithoutAnAnswer() {
        try (RecordedLog log = new RecordedLog(RenewalBatch.class)) {
            locker.lock("known");
            locker.lock("unknown");
            backend.onRenew = commands -> ScriptedBackend.done(commands.stream()
                    .map(command ->
                            command.id().encoded().contains("unknown") ? RenewAnswer.UNKNOWN : RenewAnswer.RENEWED)
                    .toList());
            time.pass(Duration.ofSeconds(11));
            assertThat(log.messages().get(0))
                    .startsWith("The renewal of 1 of the locks of locker 'deploy' was not answered;")
                    .endsWith(": the store has no answer for them");
        }
    }

    @Test
    void noTimeoutIsPendingAfterTheAnswer() {
        locker.lock("service");
        CompletableFuture<List<RenewAnswer>> answer = ScriptedBackend.never();
        backend.onRenew = commands -> answer;
        time.pass(Duration.ofSeconds(10));
        long during = time.scheduled();
        answer.complete(List.of(RenewAnswer.RENEWED));
        assertThat(time.scheduled()).isEqualTo(during - 1);
    }

    @Test
    void aSlowAnswerDelaysNoRenewal() {
        locker.lock("service");
        backend.onRenew = commands -> {
            CompletableFuture<List<RenewAnswer>> answer = ScriptedBackend.never();
            time.schedule(() -> answer.complete(List.of(RenewAnswer.RENEWED)), 500_000_000);
            return answer;
        };
        time.pass(Duration.ofMinutes(5));
        assertThat(backend.renewed).hasSizeBetween(29, 32);
        assertThat(listener.events).doesNotContain("at risk");
    }

    @Test
    void anAnswerAfterTheEndOfTheLeaseIsTooLate() {
        locker.lock("service");
        CompletableFuture<List<RenewAnswer>> answer = ScriptedBackend.never();
        backend.onRenew = commands -> answer;
        time.pass(Duration.ofSeconds(10));
        time.freeze(TTL);
        answer.complete(List.of(RenewAnswer.RENEWED));
        assertThat(listener.events).containsExactly("acquire ACQUIRED", "lost EXPIRED");
    }

    @Test
    void eachLockOfARoundGetsItsOwnAnswer() {
        LockHandle kept = locker.lock("kept");
        LockHandle gone = locker.lock("gone");
        backend.onRenew = commands -> ScriptedBackend.done(commands.stream()
                .map(command -> command.id().encoded().contains("gone") ? RenewAnswer.NOT_OWNER : RenewAnswer.RENEWED)
                .toList());
        time.pass(Duration.ofSeconds(10));
        assertThat(kept.isHeld()).isTrue();
        assertThat(gone.isHeld()).isFalse();
        assertThat(listener.events).contains("renew SUCCESS", "renew LOST", "lost NOT_OWNER");
    }

    @Test
    void aRoundCountsItsAnswersAndMeasuresTheLatencyAndTheLag() {
        for (String key : List.of("kept", "also kept", "still kept", "gone", "revoked", "also revoked", "unknown")) {
            locker.lock(key);
            time.freeze(Duration.ofMillis(100));
        }
        CompletableFuture<List<RenewAnswer>> answer = ScriptedBackend.never();
        backend.onRenew = commands -> answer;
        time.freeze(Duration.ofSeconds(11));
        time.pass(Duration.ZERO);
        time.freeze(Duration.ofMillis(300));
        answer.complete(backend.renewed.get(0).stream()
                .map(command -> {
                    String id = command.id().encoded();
                    return id.contains("kept")
                            ? RenewAnswer.RENEWED
                            : id.contains("gone")
                                    ? RenewAnswer.NOT_OWNER
                                    : id.contains("revoked") ? RenewAnswer.REVOKED : RenewAnswer.UNKNOWN;
                })
                .toList());
        // the first lock was due 9,698 ms after its grant, and its renewal was sent after 11,700 ms
        Duration lag = Duration.ofMillis(11_700 - 9_698);
        assertThat(listener.rounds).containsExactly(new RenewalRound("deploy", 3, 3, 1, Duration.ofMillis(300), lag));
        assertThat(locker.status().renewalLag()).isEqualTo(lag);
    }

    @Test
    void theLagOfARoundIsThatOfTheEarliestRenewal() {
        RenewalBatch batch =
                new RenewalBatch(locker.state(), Duration.ofSeconds(1).toNanos());
        for (int lag : List.of(100, 300, 200)) {
            batch.dueSince(time.nanos() - Duration.ofMillis(lag).toNanos());
        }
        batch.send();
        assertThat(locker.status().renewalLag()).isEqualTo(Duration.ofMillis(300));
    }

    @Test
    void aRenewalOnDemandIsNeverLate() {
        locker.lock("service").renew();
        assertThat(listener.rounds).containsExactly(new RenewalRound("deploy", 1, 0, 0, Duration.ZERO, Duration.ZERO));
        assertThat(locker.status().renewalLag()).isNull();
    }

    @Test
    void theLastRenewalGoesAsFarAsTheMaximumHoldTime() {
        LockHandle lock = locker.lock(LockRequest.of("service").withMaxHoldTime(Duration.ofSeconds(35)));
        time.pass(Duration.ofSeconds(10));
        assertThat(backend.renewed).hasSize(1);
        assertThat(backend.renewed.get(0).get(0).ttl()).isBetween(Duration.ofMillis(25_000), Duration.ofMillis(25_700));
        time.pass(Duration.ofMillis(24_300));
        assertThat(lock.isHeld()).isTrue();
        time.pass(Duration.ofMillis(700));
        assertThat(lock.isHeld()).isFalse();
        assertThat(backend.renewed).hasSize(1);
        assertThat(listener.events).containsExactly("acquire ACQUIRED", "renew SUCCESS", "lost MAX_HOLD_TIME");
    }

    @Test
    void aLockThatIsLostBeforeItsMaximumHoldTimeHasExpired() {
        locker.lock(LockRequest.of("service").withMaxHoldTime(Duration.ofSeconds(100)));
        backend.onRenew = commands -> failure();
        time.pass(TTL);
        assertThat(listener.events).endsWith("lost EXPIRED");
    }

    @Test
    void aShortStepOfTheTimeOfDayIsNoSuspension() {
        LockHandle lock = locker.lock("service");
        time.moveWall(Duration.ofMillis(2_900));
        assertThat(lock.isHeld()).isTrue();
        time.moveWall(Duration.ofMillis(200));
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void underASecondNothingIsASuspensionHoweverShortTheTtl() {
        LeaseLocker quick =
                engine.locker(VirtualTime.settings("quick").withTtl(Duration.ofSeconds(5)), "scripted", backend);
        LockHandle lock = quick.lock("service");
        time.moveWall(Duration.ofMillis(950));
        assertThat(lock.isHeld()).isTrue();
        time.moveWall(Duration.ofMillis(100));
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void aPauseJustBeforeTheStoreIsAskedIsNoSuspension() {
        Ticker pausing = new Ticker() {

            @Override
            public long nanos() {
                return time.nanos();
            }

            @Override
            public long wallMillis() {
                long millis = time.wallMillis();
                time.freeze(Duration.ofSeconds(5));
                return millis;
            }
        };
        try (LockEngine paused = time.engine(listener, pausing, time, VirtualTime.callersThread())) {
            LockHandle lock = paused.locker(VirtualTime.settings("paused"), "scripted", backend)
                    .lock("service");
            assertThat(lock.isHeld()).isTrue();
            lock.close();
        }
    }

    @Test
    void afterASuspensionALockWithoutRenewalIsConfirmedAndNotProlonged() {
        LockHandle lock = locker.lock(LockRequest.of("service").withAutoRenew(false));
        time.pass(Duration.ofSeconds(20));
        assertThat(backend.renewed).isEmpty();
        time.moveWall(Duration.ofMinutes(10));
        assertThat(lock.isHeld()).isFalse();
        time.pass(Duration.ofMillis(1));
        assertThat(lock.isHeld()).isTrue();
        RenewCommand asked = backend.renewed.get(0).get(0);
        assertThat(asked.ttl()).isBetween(Duration.ofMillis(9_600), Duration.ofSeconds(10));
        time.pass(Duration.ofMillis(9_800));
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void afterASuspensionTheRemainingTimeIsTheOneThatTheStoreConfirmed() {
        LockHandle lock = locker.lock("service");
        lock.renew(Duration.ofMinutes(5));
        time.moveWall(Duration.ofMinutes(10));
        assertThat(lock.remaining()).isZero();
        time.pass(Duration.ofMillis(1));
        assertThat(lock.remaining()).isBetween(TTL.minusMillis(400), TTL);
    }

    /** The store takes longer than the command timeout of the short lock, which is a sixth of its ttl. */
    @Test
    void theShortTimeoutOfOneLockEndsNoRenewalOfAnother() {
        backend.onRenew = commands -> {
            CompletableFuture<List<RenewAnswer>> answer = new CompletableFuture<>();
            time.schedule(
                    () -> answer.complete(Collections.nCopies(commands.size(), RenewAnswer.RENEWED)),
                    Duration.ofMillis(600).toNanos());
            return answer;
        };
        locker.lock("service");
        time.pass(Duration.ofSeconds(8));
        locker.lock(LockRequest.of("short").withTtl(Duration.ofSeconds(3)));
        time.pass(Duration.ofSeconds(2));
        assertThat(backend.renewed.get(0))
                .as("the first renewals, of which one is early")
                .hasSize(1);
        assertThat(listener.events).contains("renew SUCCESS");
    }

    private static CompletableFuture<List<RenewAnswer>> failure() {
        return CompletableFuture.failedFuture(new IllegalStateException("store is down"));
    }

    private static CompletableFuture<List<RenewAnswer>> confirm(List<RenewCommand> commands) {
        return ScriptedBackend.done(Collections.nCopies(commands.size(), RenewAnswer.RENEWED));
    }
}
