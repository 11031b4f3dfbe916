package io.leasehold.contract;

import static io.leasehold.spi.ReleaseAnswer.NOT_OWNER;
import static io.leasehold.spi.ReleaseAnswer.RELEASED;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.RenewAnswer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of leases that end by release. */
public interface ReleaseContract extends StoreUnderTest {

    @Test
    default void aReleasedLockIsFreeImmediately() {
        Held held = store().grant("a");
        assertThat(store().release(held)).isEqualTo(RELEASED);
        otherProcess().grant("a");
    }

    @Test
    default void theSecondReleaseFindsNothing() {
        Held held = store().grant("a");
        assertThat(store().release(held)).isEqualTo(RELEASED);
        assertThat(store().release(held)).isEqualTo(NOT_OWNER);
        otherProcess().grant("a");
    }

    @Test
    default void aReleaseWithAnotherTokenIsRefusedAndChangesNothing() {
        Held held = store().grant("a");
        assertThat(otherProcess().release(held.id(), store().token(), Duration.ZERO))
                .isEqualTo(NOT_OWNER);
        otherProcess().busy(held.id());
        assertThat(store().renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    @Test
    default void aLateReleaseDoesNotEndTheNextHoldersLease() {
        Held earlier = store().grant("a");
        store().release(earlier);
        Held next = otherProcess().grant("a");
        assertThat(store().release(earlier)).isEqualTo(NOT_OWNER);
        assertThat(otherProcess().renew(next, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    @Test
    default void aReleaseOfALeaseThatNeverWasFindsNothing() {
        assertThat(store().release(store().id("a"), store().token(), Duration.ZERO))
                .isEqualTo(NOT_OWNER);
        store().grant("a");
    }

    @Test
    default void aWipedLeaseIsNotReleased() {
        Held held = store().grant("a");
        wipe();
        assertThat(store().release(held)).isEqualTo(NOT_OWNER);
    }

    @Test
    default void aRetainedLeaseStaysBusy() {
        Held held = store().grant("a");
        assertThat(store().release(held, Duration.ofSeconds(10))).isEqualTo(RELEASED);
        assertThat(otherProcess().busy(held.id()).remaining()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    default void aLeaseMayBeRetainedForLongerThanItsRemainingTime() {
        Held held = store().grant(store().id("a"), Duration.ofSeconds(5));
        assertThat(store().release(held, Duration.ofSeconds(60))).isEqualTo(RELEASED);
        assertThat(otherProcess().remainingAbove(held.id(), Duration.ofSeconds(40), awaitTimeout()))
                .isLessThanOrEqualTo(Duration.ofSeconds(60));
    }

    @Test
    default void aLeaseMayBeRetainedForLessThanItsRemainingTime() {
        Held held = store().grant(store().id("a"), Duration.ofSeconds(100));
        assertThat(store().release(held, Duration.ofSeconds(20))).isEqualTo(RELEASED);
        assertThat(otherProcess().busy(held.id()).remaining()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(20));
    }

    @Test
    default void aRetainedLeaseIsNotRenewed() {
        Held held = store().grant("a");
        assertThat(store().release(held, Duration.ofSeconds(10))).isEqualTo(RELEASED);
        assertThat(store().renew(held, LONG)).isEqualTo(RenewAnswer.NOT_OWNER);
        assertThat(otherProcess().busy(held.id()).remaining()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    /** A command that acquires may arrive a second time, after the release. */
    @Test
    default void aRetainedLeaseIsNotGrantedToItsOwnerAgain() {
        Held held = store().grant("a");
        assertThat(store().release(held, Duration.ofSeconds(10))).isEqualTo(RELEASED);
        assertThat(store().acquire(held.id(), held.token(), LONG)).isInstanceOf(Busy.class);
        assertThat(otherProcess().busy(held.id()).remaining()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    default void aRetainedLeaseExpires() {
        Held held = store().grant("a");
        assertThat(store().release(held, shortTtl())).isEqualTo(RELEASED);
        passShortTtl();
        otherProcess().grant("a");
    }

    /** A command that releases may arrive a second time. */
    @Test
    default void aRepeatedReleaseDoesNotProlongARetainedLease() {
        Held held = store().grant("a");
        assertThat(store().release(held, Duration.ofSeconds(10))).isEqualTo(RELEASED);
        store().release(held, Duration.ofSeconds(60));
        otherProcess().release(held, Duration.ofSeconds(60));
        assertThat(otherProcess().busy(held.id()).remaining()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    default void aReleaseThatArrivesAfterItsRepetitionDoesNotProlongARetainedLease() {
        Held held = store().grant("a");
        assertThat(otherProcess().release(held, Duration.ofSeconds(10))).isEqualTo(RELEASED);
        store().release(held, Duration.ofSeconds(60));
        assertThat(otherProcess().busy(held.id()).remaining()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    default void aRetainedLeaseWhoseReleaseIsRepeatedExpires() {
        Held held = store().grant("a");
        assertThat(store().release(held, shortTtl())).isEqualTo(RELEASED);
        store().release(held, LONG);
        passShortTtl();
        otherProcess().grant("a");
    }

    /** A store may end the lease then, or leave it as it is. */
    @Test
    default void theAnswerToAFurtherReleaseOfARetainedLeaseTellsWhetherTheLockIsFree() {
        Held held = store().grant("a");
        assertThat(store().release(held, LONG)).isEqualTo(RELEASED);
        if (store().release(held) == RELEASED) {
            otherProcess().grantSoon("a");
        } else {
            otherProcess().busy(held.id());
        }
    }

    @Test
    default void onlyTheOwnerRetainsALease() {
        Held held = store().grant(store().id("a"), Duration.ofSeconds(10));
        assertThat(otherProcess().release(held.id(), store().token(), Duration.ofMinutes(10)))
                .isEqualTo(NOT_OWNER);
        assertThat(otherProcess().busy(held.id()).remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    default void aRetainedLeaseIsNotReleasedWithAnotherToken() {
        Held held = store().grant("a");
        assertThat(store().release(held, LONG)).isEqualTo(RELEASED);
        assertThat(otherProcess().release(held.id(), store().token(), Duration.ZERO))
                .isEqualTo(NOT_OWNER);
        otherProcess().busy(held.id());
    }

    @Test
    default void aReleasedLeaseIsNotRetained() {
        Held held = store().grant("a");
        store().release(held);
        assertThat(store().release(held, Duration.ofSeconds(30))).isEqualTo(NOT_OWNER);
        otherProcess().grant("a");
    }

    @Test
    default void aLockCanBeTakenAndReleasedOverAndOver() {
        for (int i = 0; i < 100; i++) {
            StoreClient client = i % 2 == 0 ? store() : otherProcess();
            assertThat(client.release(client.grant("a"))).isEqualTo(RELEASED);
        }
    }
}
