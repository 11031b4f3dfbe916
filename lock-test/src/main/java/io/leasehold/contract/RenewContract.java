package io.leasehold.contract;

import static io.leasehold.spi.RenewAnswer.NOT_OWNER;
import static io.leasehold.spi.RenewAnswer.RENEWED;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.LockId;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a renewal extends the given leases and nothing else. */
public interface RenewContract extends StoreUnderTest {

    @Test
    default void aHeldLeaseIsRenewed() {
        Held held = store().grant("a");
        assertThat(store().renew(held, LONG)).isEqualTo(RENEWED);
        otherProcess().busy(held.id());
    }

    @Test
    default void aRenewalProlongs() {
        Held held = store().grant(store().id("a"), Duration.ofSeconds(5));
        assertThat(store().renew(held, LONG)).isEqualTo(RENEWED);
        otherProcess().remainingAbove(held.id(), Duration.ofSeconds(10), awaitTimeout());
    }

    @Test
    default void aRenewalNeverShortens() {
        Held held = store().grant("a");
        assertThat(store().renew(held, Duration.ofSeconds(5))).isEqualTo(RENEWED);
        otherProcess().remainingAbove(held.id(), Duration.ofSeconds(10), awaitTimeout());
    }

    @Test
    default void anOvertakenRenewalDoesNotTakeBackALongerOne() {
        Held held = store().grant(store().id("a"), Duration.ofSeconds(5));
        assertThat(store().renew(held, Duration.ofSeconds(100))).isEqualTo(RENEWED);
        assertThat(store().renew(held, Duration.ofSeconds(20))).isEqualTo(RENEWED);
        otherProcess().remainingAbove(held.id(), Duration.ofSeconds(60), awaitTimeout());
    }

    /** A lock that was renewed for long once is not blocked for as long again after a later crash of its holder. */
    @Test
    default void aShorterRenewalNearTheEndOfALongOneCountsFromNow() {
        Held held = store().grant(store().id("a"), Duration.ofSeconds(3));
        assertThat(store().renew(held, Duration.ofSeconds(6))).isEqualTo(RENEWED);
        passTime(Duration.ofSeconds(3));
        assertThat(store().renew(held, Duration.ofSeconds(3))).isEqualTo(RENEWED);
        assertThat(otherProcess().busy(held.id()).remaining()).isLessThanOrEqualTo(Duration.ofSeconds(4));
    }

    @Test
    default void aRenewalCountsFromNowAndDoesNotAddUp() {
        Held held = store().grant(store().id("a"), Duration.ofSeconds(10));
        for (int i = 0; i < 5; i++) {
            assertThat(store().renew(held, Duration.ofSeconds(10))).isEqualTo(RENEWED);
        }
        assertThat(otherProcess().busy(held.id()).remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    default void aRenewalOfALeaseThatNeverWasCreatesNothing() {
        LockId id = store().id("a");
        assertThat(store().renew(new RenewCommand(id, store().token(), LONG))).isEqualTo(NOT_OWNER);
        otherProcess().grant(id, LONG);
    }

    @Test
    default void aRenewalWithAnotherTokenIsRefusedAndChangesNothing() {
        Held held = store().grant(store().id("a"), Duration.ofSeconds(10));
        RenewCommand foreign = new RenewCommand(held.id(), store().token(), Duration.ofMinutes(10));
        assertThat(otherProcess().renew(foreign)).isEqualTo(NOT_OWNER);
        assertThat(otherProcess().busy(held.id()).remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        assertThat(store().renew(held, LONG)).isEqualTo(RENEWED);
    }

    @Test
    default void aReleasedLeaseIsNotRenewed() {
        Held held = store().grant("a");
        store().release(held);
        assertThat(store().renew(held, LONG)).isEqualTo(NOT_OWNER);
        otherProcess().grant("a");
    }

    @Test
    default void aLateRenewalDoesNotStealFromTheNextHolder() {
        Held earlier = store().grant("a");
        store().release(earlier);
        Held next = otherProcess().grant("a");
        assertThat(store().renew(earlier, LONG)).isEqualTo(NOT_OWNER);
        assertThat(otherProcess().renew(next, LONG)).isEqualTo(RENEWED);
    }

    @Test
    default void aLateRenewalDoesNotReviveAfterTheNextHolderHasReleased() {
        Held earlier = store().grant("a");
        store().release(earlier);
        otherProcess().release(otherProcess().grant("a"));
        assertThat(store().renew(earlier, LONG)).isEqualTo(NOT_OWNER);
        otherProcess().grant("a");
    }

    @Test
    default void aWipedLeaseIsNotRenewed() {
        Held held = store().grant("a");
        wipe();
        assertThat(store().renew(held, LONG)).isEqualTo(NOT_OWNER);
        otherProcess().grant("a");
    }

    @Test
    default void aRenewalKeepsTheFence() {
        Held held = store().grant("a");
        store().renew(held, LONG);
        assertThat(store().acquire(held.id(), held.token(), LONG))
                .extracting("firstFence")
                .isEqualTo(held.firstFence());
    }

    @Test
    default void aBatchIsAnsweredOneByOneInItsOrder() {
        Held a = store().grant("a");
        Held b = otherProcess().grant("b");
        Held released = store().grant("c");
        store().release(released);
        List<RenewAnswer> answers = store().renew(List.of(
                new RenewCommand(released.id(), released.token(), LONG),
                new RenewCommand(a.id(), a.token(), LONG),
                new RenewCommand(store().id("never"), store().token(), LONG),
                new RenewCommand(b.id(), b.token(), LONG),
                new RenewCommand(a.id(), b.token(), LONG)));
        assertThat(answers).containsExactly(NOT_OWNER, RENEWED, NOT_OWNER, RENEWED, NOT_OWNER);
    }

    @Test
    default void theLeasesOfABatchHaveTtlsOfTheirOwn() {
        Held a = store().grant(store().id("a"), Duration.ofSeconds(8));
        Held b = store().grant(store().id("b"), Duration.ofSeconds(8));
        Held c = store().grant(store().id("c"), Duration.ofSeconds(8));
        assertThat(store().renew(List.of(
                        new RenewCommand(a.id(), a.token(), Duration.ofSeconds(10)),
                        new RenewCommand(b.id(), b.token(), Duration.ofSeconds(100)),
                        new RenewCommand(c.id(), c.token(), Duration.ofSeconds(40)))))
                .containsOnly(RENEWED);
        assertThat(otherProcess().busy(a.id()).remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        assertThat(otherProcess().remainingAbove(b.id(), Duration.ofSeconds(80), awaitTimeout()))
                .isLessThanOrEqualTo(Duration.ofSeconds(100));
        assertThat(otherProcess().remainingAbove(c.id(), Duration.ofSeconds(20), awaitTimeout()))
                .isLessThanOrEqualTo(Duration.ofSeconds(40));
    }

    @Test
    default void aLeaseMayBeInABatchTwice() {
        Held held = store().grant(store().id("a"), Duration.ofSeconds(5));
        assertThat(store().renew(List.of(
                        new RenewCommand(held.id(), held.token(), Duration.ofSeconds(60)),
                        new RenewCommand(held.id(), held.token(), Duration.ofSeconds(10)))))
                .containsExactly(RENEWED, RENEWED);
        otherProcess().remainingAbove(held.id(), Duration.ofSeconds(30), awaitTimeout());
    }

    @Test
    default void aBatchOfOneProcessMayHoldLeasesOfAnother() {
        Held mine = store().grant("a");
        Held others = otherProcess().grant("b");
        assertThat(otherProcess()
                        .renew(List.of(
                                new RenewCommand(mine.id(), mine.token(), LONG),
                                new RenewCommand(others.id(), others.token(), LONG))))
                .containsExactly(RENEWED, RENEWED);
    }

    @Test
    default void aBatchMayBeLarge() {
        List<RenewCommand> commands = new ArrayList<>();
        List<RenewAnswer> expected = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            boolean held = i % 50 == 7;
            LockId id = store().id("large-" + i);
            commands.add(new RenewCommand(id, held ? store().grant(id, LONG).token() : store().token(), LONG));
            expected.add(held ? RENEWED : NOT_OWNER);
        }
        assertThat(store().renew(commands)).isEqualTo(expected);
    }
}
