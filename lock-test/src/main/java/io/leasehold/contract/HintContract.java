package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests of waiters. Each release notifies one waiter when a retry is worthwhile, and a waiter that gives up leaves
 * nothing behind.
 */
public interface HintContract extends StoreUnderTest {

    /** The interval at which a condition is polled. */
    Duration POLL = Duration.ofMillis(10);

    @Test
    default void whoWaitsIsGivenATurnIfTheStoreHasSuch() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        assertThat(waiter.busy().wakeup() != null).isEqualTo(notifiesWaiters());
        assertThat(waiter.busy().remaining()).isPositive().isLessThanOrEqualTo(LONG);
    }

    @Test
    default void aTurnDoesNotEndWhileTheLockIsHeld() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        passTime(Duration.ofMillis(200));
        store().renew(held, LONG);
        assertThat(isTold(waiter)).isFalse();
    }

    @Test
    default void aTurnEndsAfterTheRelease() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        store().release(held);
        awaitTurn(waiter);
        assertThat(askAgain(waiter)).isInstanceOf(Granted.class);
    }

    @Test
    default void aTurnOfTheHoldersOwnProcessEndsToo() {
        Held held = store().grant("a");
        Waiter waiter = store().waitFor(held.id());
        store().release(held);
        awaitTurn(waiter);
        assertThat(askAgain(waiter)).isInstanceOf(Granted.class);
    }

    @Test
    default void aReleaseEndsOneTurnOfSeveral() {
        Held held = store().grant("a");
        List<Waiter> waiters = IntStream.range(0, 4)
                .mapToObj(i -> otherProcess().waitFor(held.id()))
                .toList();
        store().release(held);
        if (notifiesWaiters()) {
            await().pollInterval(POLL)
                    .atMost(patience())
                    .until(() -> waiters.stream().anyMatch(this::isTold));
        }
        passTime(Duration.ofMillis(200));
        assertThat(waiters.stream().filter(this::isTold)).hasSize(notifiesWaiters() ? 1 : 0);
        waiters.forEach(otherProcess()::giveUp);
    }

    @Test
    default void everyOneOfSeveralHasATurn() {
        Held held = store().grant("a");
        List<Waiter> waiters = IntStream.range(0, 4)
                .mapToObj(i -> otherProcess().waitFor(held.id()))
                .toList();
        store().release(held);
        for (Waiter waiter : waiters) {
            awaitTurn(waiter);
            assertThat(askAgain(waiter)).isInstanceOf(Granted.class);
            assertThat(otherProcess().release(waiter.id(), waiter.token(), Duration.ZERO))
                    .isEqualTo(ReleaseAnswer.RELEASED);
        }
    }

    @Test
    default void turnsOfOtherKeysDoNotEnd() {
        Held a = store().grant("a");
        Held b = store().grant("b");
        Waiter waiter = otherProcess().waitFor(a.id());
        store().release(b);
        passTime(Duration.ofMillis(200));
        assertThat(isTold(waiter)).isFalse();
    }

    @Test
    default void whoGivesUpDisturbsNobody() {
        Held held = store().grant("a");
        Waiter first = otherProcess().waitFor(held.id());
        Waiter second = otherProcess().waitFor(held.id());
        otherProcess().giveUp(first);
        assertThat(store().renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
        store().release(held);
        awaitTurn(second);
        assertThat(askAgain(second)).isInstanceOf(Granted.class);
    }

    @Test
    default void whoGivesUpLeavesNothingBehind() {
        Held held = store().grant("a");
        for (int i = 0; i < 20; i++) {
            otherProcess().giveUp(otherProcess().waitFor(held.id()));
        }
        store().release(held);
        await().pollInterval(POLL).atMost(patience()).untilAsserted(() -> store().grant("a"));
    }

    @Test
    default void aCancelledTurnDoesNotTouchTheLease() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        cancelTurn(waiter);
        otherProcess().busy(held.id());
        assertThat(store().release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        otherProcess().giveUp(waiter);
    }

    @Test
    default void whoWasWokenAndNeverAsksAgainDelaysOthersNoLongerThanItsTtl() {
        Held held = store().grant("a");
        Waiter sleeper = otherProcess().waitFor(held.id(), store().token(), shortTtl());
        store().release(held);
        awaitTurn(sleeper);
        passShortTtl();
        Token token = store().token();
        await().pollInterval(POLL)
                .atMost(patience())
                .until(() -> store().acquire(new AcquireCommand(held.id(), token, LONG, 1, true)) instanceof Granted);
        otherProcess().giveUp(sleeper);
        otherProcess().busy(held.id());
    }

    @Test
    default void whoWaitsIsGrantedALockThatHasExpired() {
        Held held = store().grant(store().id("a"), shortTtl());
        Waiter waiter = otherProcess().waitFor(held.id());
        passShortTtl();
        AcquireAnswer answer = askAgain(waiter);
        assertThat(answer).isInstanceOf(Granted.class);
        assertThat(((Granted) answer).firstFence()).isGreaterThan(held.firstFence());
    }

    @Test
    default void whoWaitsIsGrantedALockThatWasKept() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        store().release(held, shortTtl());
        passShortTtl();
        assertThat(askAgain(waiter)).isInstanceOf(Granted.class);
    }

    @Test
    default void aLockThatIsKeptIsNotYetWorthAskingFor() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        store().release(held, LONG);
        otherProcess().busy(held.id());
        otherProcess().giveUp(waiter);
        otherProcess().busy(held.id());
    }

    @Test
    default void whoWaitedAndAsksALastTimeWithoutWaitingStandsInNobodysWay() {
        Held held = store().grant("a");
        Waiter quitter = otherProcess().waitFor(held.id());
        cancelTurn(quitter);
        AcquireAnswer last = otherProcess().acquire(held.id(), quitter.token(), LONG);
        assertThat(last).isInstanceOf(Busy.class);
        otherProcess().giveUp(new Waiter(held.id(), quitter.token(), (Busy) last));
        Waiter patient = otherProcess().waitFor(held.id());
        store().release(held);
        awaitTurn(patient);
        assertThat(askAgain(patient)).isInstanceOf(Granted.class);
    }

    @Test
    default void whoWaitedAndAsksALastTimeWithoutWaitingIsGrantedAFreeLock() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        store().release(held);
        awaitTurn(waiter);
        assertThat(otherProcess().acquire(held.id(), waiter.token(), LONG)).isInstanceOf(Granted.class);
        assertThat(otherProcess().release(held.id(), waiter.token(), Duration.ZERO))
                .isEqualTo(ReleaseAnswer.RELEASED);
        store().grant("a");
    }

    @Test
    default void whoAsksAgainMayDoSoManyTimes() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        for (int i = 0; i < 20; i++) {
            cancelTurn(waiter);
            waiter = otherProcess().waitFor(held.id(), waiter.token());
        }
        store().release(held);
        awaitTurn(waiter);
        assertThat(askAgain(waiter)).isInstanceOf(Granted.class);
        assertThat(otherProcess().release(waiter.id(), waiter.token(), Duration.ZERO))
                .isEqualTo(ReleaseAnswer.RELEASED);
        store().grant("a");
    }

    @Test
    default void whoAsksAgainTooEarlyIsAnsweredTheSame() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        cancelTurn(waiter);
        Waiter again = otherProcess().waitFor(held.id(), waiter.token());
        assertThat(again.busy().queued()).isEqualTo(waiter.busy().queued());
        store().release(held);
        awaitTurn(again);
        AcquireAnswer answer = askAgain(again);
        assertThat(answer).isInstanceOf(Granted.class);
        assertThat(((Granted) answer).firstFence()).isGreaterThan(held.firstFence());
    }

    private static void cancelTurn(Waiter waiter) {
        CompletableFuture<?> turn = waiter.busy().wakeup();
        if (turn != null) {
            turn.cancel(true);
        }
    }

    private boolean isTold(Waiter waiter) {
        CompletableFuture<?> turn = waiter.busy().wakeup();
        return turn != null && turn.isDone();
    }

    private void awaitTurn(Waiter waiter) {
        if (notifiesWaiters()) {
            CompletableFuture<?> turn = Objects.requireNonNull(waiter.busy().wakeup(), "no turn was given");
            await().pollInterval(POLL).atMost(patience()).until(turn::isDone);
        }
    }

    /** Retries as the engine does. A store that keeps a queue may need some time to advance it. */
    private AcquireAnswer askAgain(Waiter waiter) {
        AcquireCommand command = new AcquireCommand(waiter.id(), waiter.token(), LONG, 1, true);
        return await().pollInterval(POLL)
                .atMost(patience())
                .until(() -> otherProcess().acquire(command), answer -> !(answer instanceof Busy));
    }
}
