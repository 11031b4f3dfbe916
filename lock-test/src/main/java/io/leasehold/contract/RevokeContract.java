package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.LockState.Kind;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/**
 * Tests that a lock can be taken from its holder without two valid leases, or that the store refuses to do so and
 * changes nothing.
 */
public interface RevokeContract extends StoreUnderTest {

    @Test
    default void aStoreThatDoesNotRevokeChangesNothing() {
        if (!supports(Capability.REVOCATION)) {
            Held held = store().grant("a");
            assertThat(otherProcess().revoke(held.id(), held.firstFence())).isEqualTo(Outcome.UNSUPPORTED);
            assertThat(store().renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
        }
    }

    @Test
    default void aRevokedLeaseIsNotRenewedAndKeepsItsTime() {
        if (supports(Capability.REVOCATION)) {
            // the engine reserves several fencing tokens with each grant
            Held held = store().grant(store().id("a"), LONG, 8);
            LockState.Held before = heldState(held.id());
            assertThat(otherProcess().revoke(held.id(), name(before))).isEqualTo(Outcome.REVOKED);
            assertThat(store().renew(held, LONG.multipliedBy(10))).isIn(RenewAnswer.REVOKED, RenewAnswer.NOT_OWNER);
            LockState.Held after = heldState(held.id());
            assertThat(after.kind()).isEqualTo(Kind.REVOKED);
            assertThat(after.remaining())
                    .isLessThanOrEqualTo(longestAfterRevocation(Objects.requireNonNull(before.remaining()), LONG));
            assertThat(after.fencingToken()).isEqualTo(before.fencingToken());
            otherProcess().busy(held.id());
        }
    }

    @Test
    default void theNextHolderHasAGreaterFencingToken() {
        if (supports(Capability.REVOCATION)) {
            Held held = store().grant(store().id("a"), shortTtl());
            long revoked = name(heldState(held.id()));
            assertThat(otherProcess().revoke(held.id(), revoked)).isEqualTo(Outcome.REVOKED);
            passShortTtl();
            assertThat(otherProcess().grant(held.id(), LONG).firstFence()).isGreaterThan(revoked);
        }
    }

    @Test
    default void aSecondRevocationHasTheSameOutcome() {
        if (supports(Capability.REVOCATION)) {
            Held held = store().grant("a");
            long named = name(heldState(held.id()));
            assertThat(otherProcess().revoke(held.id(), named)).isEqualTo(Outcome.REVOKED);
            assertThat(otherProcess().revoke(held.id(), named)).isEqualTo(Outcome.REVOKED);
        }
    }

    @Test
    default void anotherHolderIsNotRevoked() {
        if (supports(Capability.REVOCATION)) {
            Held first = store().grant("a");
            long former = name(heldState(first.id()));
            store().release(first);
            Held second = store().grant(first.id(), LONG);
            assertThat(otherProcess().revoke(first.id(), former)).isEqualTo(Outcome.OTHER_HOLDER);
            assertThat(otherProcess().revoke(first.id(), name(heldState(first.id())) + 1))
                    .isEqualTo(Outcome.OTHER_HOLDER);
            assertThat(store().renew(second, LONG)).isEqualTo(RenewAnswer.RENEWED);
        }
    }

    /** Several locks may have the same fencing token. */
    @Test
    default void theHolderOfAnotherLockIsNotRevoked() {
        if (supports(Capability.REVOCATION)) {
            Held held = store().grant("a");
            Held other = store().grant("b");
            long named = name(heldState(held.id()));
            assertThat(otherProcess().revoke(store().id("never"), named)).isEqualTo(Outcome.FREE);
            otherProcess().revoke(other.id(), named);
            assertThat(store().renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
        }
    }

    @Test
    default void aFreeLockIsNotRevoked() {
        if (supports(Capability.REVOCATION)) {
            Held held = store().grant("a");
            long named = name(heldState(held.id()));
            store().release(held);
            assertThat(otherProcess().revoke(held.id(), named)).isEqualTo(Outcome.FREE);
            assertThat(otherProcess().revoke(store().id("never"), 1)).isEqualTo(Outcome.FREE);
        }
    }

    @Test
    default void anExpiredLeaseIsNotRevoked() {
        if (supports(Capability.REVOCATION)) {
            Held held = store().grant(store().id("a"), shortTtl());
            long named = name(heldState(held.id()));
            passShortTtl();
            assertThat(otherProcess().revoke(held.id(), named)).isEqualTo(Outcome.FREE);
            otherProcess().grant(held.id(), LONG);
        }
    }

    @Test
    default void theOwnerMayStillReleaseARevokedLease() {
        if (supports(Capability.REVOCATION)) {
            Held held = store().grant("a");
            otherProcess().revoke(held.id(), name(heldState(held.id())));
            assertThat(store().release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            assertThat(otherProcess().describe(held.id())).isInstanceOf(LockState.Free.class);
            otherProcess().grant(held.id(), LONG);
        }
    }

    @Test
    default void aRevokedLeaseIsNotReleasedWithAnotherToken() {
        if (supports(Capability.REVOCATION)) {
            Held held = store().grant("a");
            otherProcess().revoke(held.id(), name(heldState(held.id())));
            assertThat(otherProcess().release(held.id(), store().token(), Duration.ZERO))
                    .isEqualTo(ReleaseAnswer.NOT_OWNER);
            assertThat(heldState(held.id()).kind()).isEqualTo(Kind.REVOKED);
        }
    }

    @Test
    default void aRevokedLeaseThatIsRetainedIsNotRenewed() {
        if (supports(Capability.REVOCATION)) {
            Held held = store().grant("a");
            otherProcess().revoke(held.id(), name(heldState(held.id())));
            assertThat(store().release(held, LONG)).isEqualTo(ReleaseAnswer.RELEASED);
            assertThat(store().renew(held, LONG.multipliedBy(10))).isIn(RenewAnswer.REVOKED, RenewAnswer.NOT_OWNER);
            assertThat(otherProcess().busy(held.id()).remaining()).isLessThanOrEqualTo(LONG.plusSeconds(2));
        }
    }

    @Test
    default void aRevokedLeaseIsListed() {
        if (supports(Capability.REVOCATION) && supports(Capability.LISTING)) {
            Held held = store().grant("a");
            otherProcess().revoke(held.id(), name(heldState(held.id())));
            assertThat(otherProcess().list(10).locks())
                    .singleElement()
                    .satisfies(lock -> assertThat(lock.state().kind()).isEqualTo(Kind.REVOKED));
        }
    }

    @Test
    default void theReleaseOfARevokedLeaseNotifiesAWaiter() {
        if (supports(Capability.REVOCATION) && supports(Capability.WAKEUPS)) {
            Held held = store().grant("a");
            Waiter waiter = otherProcess().waitFor(held.id());
            otherProcess().revoke(held.id(), name(heldState(held.id())));
            store().release(held);
            awaitWakeup(waiter);
        }
    }

    @Test
    default void theRemovalOfARetainedLeaseNotifiesAWaiter() {
        if (supports(Capability.REVOCATION) && supports(Capability.WAKEUPS)) {
            Held held = store().grant("a");
            Waiter waiter = otherProcess().waitFor(held.id());
            store().release(held, LONG);
            assertThat(otherProcess().revoke(held.id(), name(heldState(held.id()))))
                    .isEqualTo(Outcome.REMOVED);
            awaitWakeup(waiter);
        }
    }

    @Test
    default void aRevokedLeaseIsNotGrantedToItsOwnerAgain() {
        if (supports(Capability.REVOCATION)) {
            Held held = store().grant("a");
            otherProcess().revoke(held.id(), name(heldState(held.id())));
            assertThat(store().acquire(held.id(), held.token(), LONG)).isInstanceOf(Busy.class);
            assertThat(heldState(held.id()).kind()).isEqualTo(Kind.REVOKED);
        }
    }

    @Test
    default void aRevokedLeaseIsBusyForAWaiter() {
        if (supports(Capability.REVOCATION)) {
            Held held = store().grant("a");
            Waiter waiter = otherProcess().waitFor(held.id());
            otherProcess().revoke(held.id(), name(heldState(held.id())));
            if (waiter.busy().wakeup() != null) {
                waiter.busy().wakeup().cancel(false);
            }
            otherProcess().giveUp(otherProcess().waitFor(held.id(), waiter.token()));
            assertThat(heldState(held.id()).kind()).isEqualTo(Kind.REVOKED);
        }
    }

    @Test
    default void aRetainedLeaseIsRemoved() {
        if (supports(Capability.REVOCATION)) {
            Held held = store().grant("a");
            store().release(held, LONG);
            long named = name(heldState(held.id()));
            assertThat(otherProcess().revoke(held.id(), named + 1)).isEqualTo(Outcome.OTHER_HOLDER);
            assertThat(otherProcess().revoke(held.id(), named)).isEqualTo(Outcome.REMOVED);
            assertThat(otherProcess().grant(held.id(), Duration.ofSeconds(30)).firstFence())
                    .isGreaterThan(named);
        }
    }

    /** A hint may be lost, so the revocation is repeated. */
    @Test
    default void aProcessThatListensForWakeUpsGetsAHintOfARevocation() {
        if (supports(Capability.REVOCATION_HINTS)) {
            List<Long> hints = new CopyOnWriteArrayList<>();
            store().backend().onRevocation(hints::add);
            Waiter listening = store().waitFor(otherProcess().grant("busy").id());
            Held held = store().grant("a");
            long named = name(heldState(held.id()));
            await().atMost(awaitTimeout()).pollInSameThread().untilAsserted(() -> {
                assertThat(otherProcess().revoke(held.id(), named)).isEqualTo(Outcome.REVOKED);
                assertThat(hints).contains(held.token().low());
            });
            store().giveUp(listening);
        }
    }

    /**
     * Revokes the present or the former holder while leases are granted, renewed and released. A lease is lost only if
     * a revocation named it, and is not renewed after that.
     */
    @Test
    default void revocationsHitOnlyTheHolderThatTheyName() {
        if (supports(Capability.REVOCATION)) {
            long seed =
                    Long.getLong("leasehold.seed", ThreadLocalRandom.current().nextLong());
            new RevocationRounds(store(), otherProcess(), seed).run(Integer.getInteger("leasehold.rounds", 200));
        }
    }

    private void awaitWakeup(Waiter waiter) {
        await().atMost(awaitTimeout())
                .until(Objects.requireNonNull(waiter.busy().wakeup(), "no wakeup was given")::isDone);
        otherProcess().giveUp(waiter);
    }

    private LockState.Held heldState(LockId id) {
        LockState state = otherProcess().describe(id);
        assertThat(state).isInstanceOf(LockState.Held.class);
        return (LockState.Held) state;
    }

    private static long name(LockState.Held state) {
        return state.fencingToken().orElseThrow();
    }
}
