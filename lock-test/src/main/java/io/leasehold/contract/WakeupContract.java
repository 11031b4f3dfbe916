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
public interface WakeupContract extends StoreUnderTest {

    /** The interval at which a condition is polled. */
    Duration POLL = Duration.ofMillis(10);

    @Test
    default void aBusyAnswerHasAWakeupIfTheStoreNotifiesWaiters() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        assertThat(waiter.busy().wakeup() != null).isEqualTo(supports(Capability.WAKEUPS));
        assertThat(waiter.busy().remaining()).isPositive().isLessThanOrEqualTo(LONG);
    }

    @Test
    default void aWaiterIsNotNotifiedWhileTheLockIsHeld() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        passTime(Duration.ofMillis(200));
        store().renew(held, LONG);
        passTime(Duration.ofMillis(200));
        assertThat(isNotified(waiter)).isFalse();
    }

    @Test
    default void aReleaseNotifiesAWaiter() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        store().release(held);
        awaitWakeup(waiter);
        assertThat(retry(waiter)).isInstanceOf(Granted.class);
    }

    @Test
    default void aReleaseNotifiesAWaiterOfItsOwnProcess() {
        Held held = store().grant("a");
        Waiter waiter = store().waitFor(held.id());
        store().release(held);
        awaitWakeup(waiter);
        assertThat(retry(waiter)).isInstanceOf(Granted.class);
    }

    @Test
    default void aReleaseNotifiesOneOfSeveralWaiters() {
        Held held = store().grant("a");
        List<Waiter> waiters = IntStream.range(0, 4)
                .mapToObj(i -> otherProcess().waitFor(held.id()))
                .toList();
        store().release(held);
        if (supports(Capability.WAKEUPS)) {
            await().pollInterval(POLL)
                    .atMost(awaitTimeout())
                    .until(() -> waiters.stream().anyMatch(this::isNotified));
        }
        passTime(Duration.ofMillis(200));
        assertThat(waiters.stream().filter(this::isNotified)).hasSize(supports(Capability.WAKEUPS) ? 1 : 0);
        waiters.forEach(otherProcess()::giveUp);
    }

    @Test
    default void eachOfSeveralWaitersIsNotified() {
        Held held = store().grant("a");
        List<Waiter> waiters = IntStream.range(0, 4)
                .mapToObj(i -> otherProcess().waitFor(held.id()))
                .toList();
        store().release(held);
        for (Waiter waiter : waiters) {
            awaitWakeup(waiter);
            assertThat(retry(waiter)).isInstanceOf(Granted.class);
            assertThat(otherProcess().release(waiter.id(), waiter.token(), Duration.ZERO))
                    .isEqualTo(ReleaseAnswer.RELEASED);
        }
    }

    @Test
    default void aReleaseDoesNotNotifyWaitersOfOtherKeys() {
        Held a = store().grant("a");
        Held b = store().grant("b");
        Waiter waiter = otherProcess().waitFor(a.id());
        store().release(b);
        passTime(Duration.ofMillis(200));
        assertThat(isNotified(waiter)).isFalse();
    }

    @Test
    default void aWaiterThatGivesUpDoesNotDelayOthers() {
        Held held = store().grant("a");
        Waiter first = otherProcess().waitFor(held.id());
        Waiter second = otherProcess().waitFor(held.id());
        otherProcess().giveUp(first);
        assertThat(store().renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
        store().release(held);
        awaitWakeup(second);
        assertThat(retry(second)).isInstanceOf(Granted.class);
    }

    @Test
    default void waitersThatGiveUpLeaveNothingBehind() {
        Held held = store().grant("a");
        for (int i = 0; i < 20; i++) {
            otherProcess().giveUp(otherProcess().waitFor(held.id()));
        }
        store().release(held);
        await().pollInterval(POLL).atMost(awaitTimeout()).untilAsserted(() -> store().grant("a"));
    }

    @Test
    default void aCancelledWakeupDoesNotChangeTheLease() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        cancelWakeup(waiter);
        otherProcess().busy(held.id());
        assertThat(store().release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        otherProcess().giveUp(waiter);
    }

    @Test
    default void aNotifiedWaiterThatDoesNotRetryDelaysOthersForAtMostItsTtl() {
        Held held = store().grant("a");
        Waiter silent = otherProcess().waitFor(held.id(), store().token(), shortTtl());
        store().release(held);
        awaitWakeup(silent);
        passShortTtl();
        Token token = store().token();
        await().pollInterval(POLL)
                .atMost(awaitTimeout())
                .until(() -> store().acquire(new AcquireCommand(held.id(), token, LONG, 1, true)) instanceof Granted);
        otherProcess().giveUp(silent);
        otherProcess().busy(held.id());
    }

    @Test
    default void aWaiterIsGrantedALockThatHasExpired() {
        Held held;
        AcquireCommand command;
        AcquireAnswer asked;
        int attempt = 0;
        do {
            // on a busy machine the lease may have expired before the other process asks
            held = store().grant(store().id("a" + attempt++), shortTtl());
            command = new AcquireCommand(held.id(), otherProcess().token(), LONG, 1, true);
            asked = otherProcess().acquire(command);
        } while (asked instanceof Granted && attempt < 10);
        assertThat(asked).isInstanceOf(Busy.class);
        passShortTtl();
        AcquireAnswer answer = retry(new Waiter(command.id(), command.token(), (Busy) asked));
        assertThat(answer).isInstanceOf(Granted.class);
        assertThat(((Granted) answer).firstFence()).isGreaterThan(held.firstFence());
    }

    @Test
    default void aWaiterIsGrantedALockAfterItsRetainedLease() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        store().release(held, shortTtl());
        passShortTtl();
        assertThat(retry(waiter)).isInstanceOf(Granted.class);
    }

    @Test
    default void aRetainedLeaseIsBusyForAWaiter() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        store().release(held, LONG);
        otherProcess().busy(held.id());
        cancelWakeup(waiter);
        otherProcess().giveUp(otherProcess().waitFor(held.id(), waiter.token()));
        otherProcess().busy(held.id());
    }

    @Test
    default void aWaiterWhoseLastAttemptDoesNotWaitDoesNotDelayOthers() {
        Held held = store().grant("a");
        Waiter leaving = otherProcess().waitFor(held.id());
        cancelWakeup(leaving);
        AcquireAnswer last = otherProcess().acquire(held.id(), leaving.token(), LONG);
        assertThat(last).isInstanceOf(Busy.class);
        otherProcess().giveUp(new Waiter(held.id(), leaving.token(), (Busy) last));
        Waiter next = otherProcess().waitFor(held.id());
        store().release(held);
        awaitWakeup(next);
        assertThat(retry(next)).isInstanceOf(Granted.class);
    }

    @Test
    default void aWaiterWhoseLastAttemptDoesNotWaitIsGrantedAFreeLock() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        store().release(held);
        awaitWakeup(waiter);
        assertThat(otherProcess().acquire(held.id(), waiter.token(), LONG)).isInstanceOf(Granted.class);
        assertThat(otherProcess().release(held.id(), waiter.token(), Duration.ZERO))
                .isEqualTo(ReleaseAnswer.RELEASED);
        store().grant("a");
    }

    @Test
    default void aWaiterMayRetryManyTimes() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        for (int i = 0; i < 20; i++) {
            cancelWakeup(waiter);
            waiter = otherProcess().waitFor(held.id(), waiter.token());
        }
        store().release(held);
        awaitWakeup(waiter);
        assertThat(retry(waiter)).isInstanceOf(Granted.class);
        assertThat(otherProcess().release(waiter.id(), waiter.token(), Duration.ZERO))
                .isEqualTo(ReleaseAnswer.RELEASED);
        store().grant("a");
    }

    @Test
    default void aWaiterThatRetriesEarlyStaysQueued() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        cancelWakeup(waiter);
        Waiter again = otherProcess().waitFor(held.id(), waiter.token());
        assertThat(again.busy().queued()).isEqualTo(waiter.busy().queued());
        store().release(held);
        awaitWakeup(again);
        AcquireAnswer answer = retry(again);
        assertThat(answer).isInstanceOf(Granted.class);
        assertThat(((Granted) answer).firstFence()).isGreaterThan(held.firstFence());
    }

    /** A store that keeps the place of a waiter for some time has to keep the lease of its grant for the ttl. */
    @Test
    default void aWaiterIsGrantedALeaseForItsTtl() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        store().release(held);
        awaitWakeup(waiter);
        assertThat(retry(waiter)).isInstanceOf(Granted.class);
        store().remainingAbove(held.id(), Duration.ofSeconds(10), awaitTimeout());
    }

    @Test
    default void aWaiterIsGrantedItsWholeBlock() {
        Held held = store().grant("a");
        AcquireCommand command = new AcquireCommand(held.id(), otherProcess().token(), LONG, 100, true);
        assertThat(otherProcess().acquire(command)).isInstanceOf(Busy.class);
        store().release(held);
        AcquireAnswer answer = retry(command);
        assertThat(answer).isInstanceOf(Granted.class);
        assertThat(otherProcess().release(command.id(), command.token(), Duration.ZERO))
                .isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(store().grant("a").firstFence()).isGreaterThanOrEqualTo(((Granted) answer).firstFence() + 100);
    }

    /** A store may grant the lock to another waiter than the first one, but not with a token of the other's place. */
    @Test
    default void fencesRiseInTheOrderInWhichWaitersAreGranted() {
        Held held = store().grant("a");
        Waiter first = otherProcess().waitFor(held.id());
        Waiter second = otherProcess().waitFor(held.id());
        store().release(held);
        long last = held.firstFence();
        AcquireAnswer overtaking = otherProcess().acquire(new AcquireCommand(held.id(), second.token(), LONG, 1, true));
        if (overtaking instanceof Granted granted) {
            assertThat(granted.firstFence()).isGreaterThan(last);
            last = granted.firstFence();
            otherProcess().release(held.id(), second.token(), Duration.ZERO);
        }
        AcquireAnswer answer = retry(first);
        assertThat(answer).isInstanceOf(Granted.class);
        assertThat(((Granted) answer).firstFence()).isGreaterThan(last);
        if (overtaking instanceof Busy busy) {
            otherProcess().giveUp(new Waiter(held.id(), second.token(), busy));
        }
    }

    @Test
    default void aWakeupBringsNoGrantWithoutALease() {
        Held held = store().grant("a");
        Waiter waiter = otherProcess().waitFor(held.id());
        store().release(held);
        awaitWakeup(waiter);
        CompletableFuture<?> wakeup = waiter.busy().wakeup();
        if (wakeup != null && !wakeup.isCompletedExceptionally() && wakeup.join() instanceof Granted granted) {
            store().busy(held.id());
            assertThat(granted.firstFence()).isGreaterThan(held.firstFence());
            assertThat(retry(waiter)).extracting("firstFence").isEqualTo(granted.firstFence());
        }
    }

    private static void cancelWakeup(Waiter waiter) {
        CompletableFuture<?> wakeup = waiter.busy().wakeup();
        if (wakeup != null) {
            wakeup.cancel(true);
        }
    }

    private boolean isNotified(Waiter waiter) {
        CompletableFuture<?> wakeup = waiter.busy().wakeup();
        return wakeup != null && wakeup.isDone();
    }

    private void awaitWakeup(Waiter waiter) {
        if (supports(Capability.WAKEUPS)) {
            CompletableFuture<?> wakeup = Objects.requireNonNull(waiter.busy().wakeup(), "no wakeup was given");
            await().pollInterval(POLL).atMost(awaitTimeout()).until(wakeup::isDone);
        }
    }

    private AcquireAnswer retry(Waiter waiter) {
        return retry(new AcquireCommand(waiter.id(), waiter.token(), LONG, 1, true));
    }

    /** Retries as the engine does. A store that keeps a queue may need some time to advance it. */
    private AcquireAnswer retry(AcquireCommand command) {
        return await().pollInterval(POLL)
                .atMost(awaitTimeout())
                .until(() -> otherProcess().acquire(command), answer -> !(answer instanceof Busy));
    }
}
