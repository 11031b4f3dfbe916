package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockState;
import io.leasehold.LockState.Kind;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockId;
import io.leasehold.spi.RenewAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** Tests that other processes can read which process holds a lock, or that the store reports that it cannot tell. */
public interface HolderContract extends StoreUnderTest {

    @Test
    default void aLockThatWasNeverHeldIsFree() {
        assertThat(otherProcess().describe(store().id("a")))
                .isInstanceOf(supports(Capability.HOLDERS) ? LockState.Free.class : LockState.Unknown.class);
    }

    @Test
    default void anotherProcessReadsTheHolder() {
        Held held = store().grantTo(instance("orders@host:1"), store().id("a"), LONG);
        if (!supports(Capability.HOLDERS)) {
            assertThat(otherProcess().describe(held.id())).isInstanceOf(LockState.Unknown.class);
            return;
        }
        LockState.Held state = describe(held.id());
        assertThat(state.kind()).isEqualTo(Kind.HOLDER);
        assertThat(state.holder()).isEqualTo("orders@host:1");
        // a number of another unit is far from the present century
        assertThat(state.since()).isBetween("2020-01-01T00:00:00Z", "2200-01-01T00:00:00Z");
        assertThat(state.remaining()).isBetween(LONG.dividedBy(10), LONG.plusSeconds(2));
        assertThat(state.fencingToken().orElseThrow()).isGreaterThanOrEqualTo(held.firstFence());
    }

    /** A thread dump of the process then shows why the lock is still held. */
    @Test
    default void anotherProcessReadsTheThreadOfTheHolder() {
        if (supports(Capability.HOLDERS)) {
            Held held = store().grantTo(instance("orders@host:1"), 47, store().id("a"), LONG);
            assertThat(describe(held.id()).holder()).isEqualTo("orders@host:1, thread 47");
            assertThat(store().renew(held, LONG.multipliedBy(4))).isEqualTo(RenewAnswer.RENEWED);
            assertThat(describe(held.id()).holder()).isEqualTo("orders@host:1, thread 47");
        }
    }

    /** The engine recognizes its lease by it after a hand-over. */
    @Test
    default void theReportedFencingTokenIsTheLastOfItsBlock() {
        if (supports(Capability.HOLDERS)) {
            Held held = store().grant(store().id("a"), LONG, 100);
            assertThat(describe(held.id()).fencingToken().orElseThrow()).isGreaterThanOrEqualTo(held.firstFence() + 99);
        }
    }

    @Test
    default void theHolderIsKnownAfterARenewal() {
        if (supports(Capability.HOLDERS)) {
            Held held = store().grantTo(instance("orders@host:1"), store().id("a"), LONG);
            assertThat(store().renew(held, LONG.multipliedBy(4))).isEqualTo(RenewAnswer.RENEWED);
            LockState.Held state = describe(held.id());
            assertThat(state.kind()).isEqualTo(Kind.HOLDER);
            assertThat(state.holder()).isEqualTo("orders@host:1");
        }
    }

    @Test
    default void aRenewalDoesNotChangeTheTimeOfTheGrant() {
        if (supports(Capability.HOLDERS)) {
            Held held = store().grantTo(instance("orders@host:1"), store().id("a"), LONG);
            Instant granted = Objects.requireNonNull(describe(held.id()).since());
            passTime(Duration.ofMillis(500));
            assertThat(store().renew(held, LONG.multipliedBy(4))).isEqualTo(RenewAnswer.RENEWED);
            assertThat(describe(held.id()).since()).isBetween(granted.minusMillis(200), granted.plusMillis(200));
        }
    }

    @Test
    default void eachLockHasItsOwnHolder() {
        if (supports(Capability.HOLDERS)) {
            Held orders = store().grantTo(instance("orders@host:1"), store().id("a"), LONG);
            Held billing = otherProcess().grantTo(instance("billing@host:2"), store().id("b"), LONG);
            for (StoreClient reader : List.of(store(), otherProcess())) {
                assertThat(reader.describe(orders.id())).extracting("holder").isEqualTo("orders@host:1");
                assertThat(reader.describe(billing.id())).extracting("holder").isEqualTo("billing@host:2");
            }
        }
    }

    @Test
    default void theNextHolderReplacesTheFormerOne() {
        if (supports(Capability.HOLDERS)) {
            LockId id = store().id("a");
            Held first = store().grantTo(instance("orders@host:1"), id, LONG);
            store().release(first);
            assertThat(otherProcess().describe(id)).isInstanceOf(LockState.Free.class);
            Held second = otherProcess().grantTo(instance("billing@host:2"), id, LONG);
            LockState.Held state = describe(id);
            assertThat(state.holder()).isEqualTo("billing@host:2");
            assertThat(state.fencingToken().orElseThrow()).isGreaterThanOrEqualTo(second.firstFence());
        }
    }

    @Test
    default void aRetainedLeaseIsReleased() {
        if (supports(Capability.HOLDERS)) {
            Held held = store().grantTo(instance("orders@host:1"), store().id("a"), LONG);
            store().release(held, LONG);
            LockState.Held state = describe(held.id());
            assertThat(state.kind()).isEqualTo(Kind.RELEASED);
            assertThat(state.holder()).isEqualTo("orders@host:1");
        }
    }

    @Test
    default void anExpiredLeaseIsFree() {
        if (supports(Capability.HOLDERS)) {
            Held held = store().grantTo(instance("orders@host:1"), store().id("a"), shortTtl());
            passShortTtl();
            assertThat(otherProcess().describe(held.id())).isInstanceOf(LockState.Free.class);
        }
    }

    @Test
    default void aHolderWithoutANameIsNotMistakenForAnother() {
        if (supports(Capability.HOLDERS)) {
            LockId id = store().id("a");
            store().release(store().grantTo(instance("orders@host:1"), id, LONG));
            store().grant(id, LONG);
            LockState.Held state = describe(id);
            assertThat(state.kind()).isEqualTo(Kind.HOLDER);
            assertThat(state.holder()).isNull();
        }
    }

    @Test
    default void aNameIsPrintableAndBounded() {
        if (supports(Capability.HOLDERS)) {
            Held held = store().grantTo(instance("a\nb\u0000" + "x".repeat(10_000)), 47, store().id("a"), LONG);
            assertThat(describe(held.id()).holder())
                    .startsWith("a\\u000ab\\u0000xxx")
                    .endsWith(", thread 47")
                    .hasSizeLessThanOrEqualTo(LockState.LONGEST_NAME);
        }
    }

    /** Describing a lock changes nothing. */
    @Test
    default void aDescribedLockIsStillHeldAndReleased() {
        Held held = store().grantTo(instance("orders@host:1"), store().id("a"), LONG);
        otherProcess().describe(held.id());
        otherProcess().busy(held.id());
        assertThat(store().renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
        store().release(held);
        otherProcess().grant("a");
    }

    private LockState.Held describe(LockId id) {
        LockState state = otherProcess().describe(id);
        assertThat(state).isInstanceOf(LockState.Held.class);
        return (LockState.Held) state;
    }

    private static Instance instance(String name) {
        return new Instance(ThreadLocalRandom.current().nextLong(), name);
    }
}
