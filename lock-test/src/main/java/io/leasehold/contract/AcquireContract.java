package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of granted and busy acquisitions. */
public interface AcquireContract extends StoreUnderTest {

    @Test
    default void aFreeLockIsGranted() {
        Held held = store().grant("a");
        assertThat(held.firstFence()).isPositive();
    }

    @Test
    default void aHeldLockIsBusyForTheSameProcess() {
        Held held = store().grant("a");
        store().busy(held.id());
    }

    @Test
    default void aHeldLockIsBusyForAnotherProcess() {
        Held held = store().grant("a");
        otherProcess().busy(held.id());
    }

    /** A token is the name of one lease. Two callers of one process have the same instance and different tokens. */
    @Test
    default void aHeldLockIsBusyForTheInstanceThatHoldsIt() {
        Instance instance = new Instance(ThreadLocalRandom.current().nextLong(), "orders@host:1");
        LockId id = store().id("a");
        Held held = store().grantTo(instance, id, LONG);
        Token other = new Token(store().token().high(), store().token().low(), instance, 0);
        assertThat(store().acquire(id, other, LONG)).isInstanceOf(Busy.class);
        assertThat(store().release(id, other, Duration.ZERO)).isEqualTo(ReleaseAnswer.NOT_OWNER);
        assertThat(store().renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    /** A store may keep a token as two numbers, or in a column that is too short for it. */
    @Test
    default void aTokenIsComparedAsAWhole() {
        Held held = store().grant("a");
        for (Token other : List.of(
                new Token(held.token().high(), held.token().low() + 1),
                new Token(held.token().high() + 1, held.token().low()))) {
            assertThat(store().acquire(held.id(), other, LONG)).isInstanceOf(Busy.class);
            assertThat(store().renew(new RenewCommand(held.id(), other, LONG))).isEqualTo(RenewAnswer.NOT_OWNER);
            assertThat(store().release(held.id(), other, Duration.ZERO)).isEqualTo(ReleaseAnswer.NOT_OWNER);
        }
        assertThat(store().renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    @Test
    default void aRefusedAcquisitionDoesNotChangeTheLease() {
        Held held = store().grant(store().id("a"), Duration.ofSeconds(10));
        for (int i = 0; i < 5; i++) {
            assertThat(otherProcess().busy(held.id()).remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        }
        assertThat(store().renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    @Test
    default void aBusyAnswerHasTheRemainingTimeOfTheLease() {
        Held held = store().grant(store().id("a"), Duration.ofSeconds(10));
        Busy busy = otherProcess().busy(held.id());
        assertThat(busy.remaining()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    default void theRemainingTimeOfABusyAnswerDecreases() {
        Held held = store().grant(store().id("a"), Duration.ofSeconds(10));
        Duration earlier = otherProcess().busy(held.id()).remaining();
        passTime(Duration.ofMillis(1_100));
        assertThat(otherProcess().busy(held.id()).remaining())
                .isLessThan(earlier)
                .isPositive();
    }

    @Test
    default void aCallerThatDoesNotWaitIsNotQueued() {
        Held held = store().grant("a");
        Busy busy = otherProcess().busy(held.id());
        assertThat(busy.queued()).isFalse();
    }

    @Test
    default void locksOfDifferentKeysAreIndependent() {
        Held a = store().grant("a");
        Held b = otherProcess().grant("b");
        assertThat(otherProcess().release(b)).isEqualTo(ReleaseAnswer.RELEASED);
        store().busy(a.id());
        store().grant("b");
    }

    @Test
    default void aRepeatedAcquisitionHasTheSameFence() {
        AcquireCommand command = new AcquireCommand(store().id("a"), store().token(), LONG, 1, false);
        Held first = store().grant(command);
        assertThat(store().grant(command)).isEqualTo(first);
        assertThat(otherProcess().grant(command)).isEqualTo(first);
    }

    @Test
    default void aRepeatedAcquisitionReservesNoSecondBlock() {
        AcquireCommand command = new AcquireCommand(store().id("a"), store().token(), LONG, 50, false);
        Held first = store().grant(command);
        assertThat(store().grant(command).firstFence()).isEqualTo(first.firstFence());
        assertThat(store().release(first)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(store().grant("a").firstFence()).isGreaterThanOrEqualTo(first.firstFence() + 50);
    }

    @Test
    default void aRepeatedAcquisitionRenewsTheLease() {
        LockId id = store().id("a");
        AcquireCommand command = new AcquireCommand(id, store().token(), Duration.ofSeconds(5), 1, false);
        store().grant(command);
        store().grant(new AcquireCommand(id, command.token(), LONG, 1, false));
        otherProcess().remainingAbove(id, Duration.ofSeconds(10), awaitTimeout());
    }

    @Test
    default void aRepeatedAcquisitionNeverShortensTheLease() {
        LockId id = store().id("a");
        Held held = store().grant(id, LONG);
        store().grant(new AcquireCommand(id, held.token(), Duration.ofSeconds(5), 1, false));
        otherProcess().remainingAbove(id, Duration.ofSeconds(10), awaitTimeout());
    }

    @Test
    default void anAcquisitionThatIsRepeatedByAWaiterIsGranted() {
        AcquireCommand command = new AcquireCommand(store().id("a"), store().token(), LONG, 1, false);
        Held first = store().grant(command);
        AcquireCommand waiting = new AcquireCommand(command.id(), command.token(), LONG, 1, true);
        assertThat(store().grant(waiting)).isEqualTo(first);
    }

    @Test
    default void aTokenIsNotKnownForAnotherKey() {
        Held a = store().grant("a");
        store().grant(new AcquireCommand(store().id("b"), a.token(), LONG, 1, false));
        assertThat(store().release(a)).isEqualTo(ReleaseAnswer.RELEASED);
        otherProcess().busy(store().id("b"));
    }

    @Test
    default void aLeaseOfManyHoursIsGranted() {
        Held held = store().grant(store().id("a"), Duration.ofHours(20));
        assertThat(otherProcess().remainingAbove(held.id(), Duration.ofHours(19), awaitTimeout()))
                .isLessThanOrEqualTo(Duration.ofHours(20));
        assertThat(store().release(held)).isEqualTo(ReleaseAnswer.RELEASED);
    }

    /** 30 days are more milliseconds than an {@code int} has. */
    @Test
    default void aLeaseOfManyDaysIsGrantedRenewedAndRetained() {
        Duration days = Duration.ofDays(30);
        Duration least = days.minusHours(1);
        Held granted = store().grant(store().id("granted"), days);
        assertThat(otherProcess().busy(granted.id()).remaining()).isGreaterThan(least);
        Held renewed = store().grant("renewed");
        assertThat(store().renew(renewed, days)).isEqualTo(RenewAnswer.RENEWED);
        otherProcess().remainingAbove(renewed.id(), least, awaitTimeout());
        Held retained = store().grant("retained");
        assertThat(store().release(retained, days)).isEqualTo(ReleaseAnswer.RELEASED);
        otherProcess().remainingAbove(retained.id(), least, awaitTimeout());
    }

    @Test
    default void anOpenLeaseIsKnownToEveryProcessOfTheStore() {
        Held held = store().grant("a");
        assertThat(otherProcess().renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(otherProcess().release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        store().grant("a");
    }

    @Test
    default void manyKeysCanBeHeldAtTheSameTime() {
        List<Held> all =
                IntStream.range(0, 50).mapToObj(i -> store().grant("many-" + i)).toList();
        assertThat(all).allSatisfy(held -> otherProcess().busy(held.id()));
        assertThat(all).allSatisfy(held -> assertThat(store().release(held)).isEqualTo(ReleaseAnswer.RELEASED));
    }
}
