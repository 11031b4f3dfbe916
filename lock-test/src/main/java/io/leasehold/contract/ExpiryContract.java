package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of expiry by the store's clock. */
public interface ExpiryContract extends StoreUnderTest {

    @Test
    default void anExpiredLockIsFree() {
        LockId id = store().id("a");
        store().grant(id, shortTtl());
        passShortTtl();
        otherProcess().grant(id, LONG);
    }

    @Test
    default void aLeaseExpiresWhileOthersAreRefused() {
        LockId id = store().id("a");
        store().grant(id, shortTtl());
        passTime(shortTtl().multipliedBy(4).dividedBy(5));
        // on a busy machine the lease may have expired already
        AcquireAnswer answer = otherProcess().acquire(id, otherProcess().token(), LONG);
        if (answer instanceof Busy) {
            passTime(shortTtl().dividedBy(5).plus(expirySlack()));
            // a quorum may have votes for the refused acquisition for a moment
            await().pollInSameThread()
                    .atMost(awaitTimeout())
                    .until(() -> otherProcess().acquire(id, otherProcess().token(), LONG) instanceof Granted);
        }
    }

    @Test
    default void anExpiredLeaseIsNotRenewed() {
        Held held = store().grant(store().id("a"), shortTtl());
        passShortTtl();
        assertThat(store().renew(held, LONG)).isEqualTo(RenewAnswer.NOT_OWNER);
        otherProcess().grant("a");
    }

    @Test
    default void anExpiredLeaseIsNotReleased() {
        Held held = store().grant(store().id("a"), shortTtl());
        passShortTtl();
        assertThat(store().release(held)).isEqualTo(ReleaseAnswer.NOT_OWNER);
        otherProcess().grant("a");
    }

    @Test
    default void anExpiredLeaseIsNotRetained() {
        Held held = store().grant(store().id("a"), shortTtl());
        passShortTtl();
        assertThat(store().release(held, LONG)).isEqualTo(ReleaseAnswer.NOT_OWNER);
        otherProcess().grant("a");
    }

    @Test
    default void anExpiredHolderCannotTouchTheNextOne() {
        Held expired = store().grant(store().id("a"), shortTtl());
        passShortTtl();
        Held next = otherProcess().grant("a");
        assertThat(store().renew(expired, LONG)).isEqualTo(RenewAnswer.NOT_OWNER);
        assertThat(store().release(expired)).isEqualTo(ReleaseAnswer.NOT_OWNER);
        assertThat(otherProcess().renew(next, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    @Test
    default void aRenewedLeaseOutlivesItsFirstTtl() {
        Held held = renewedInTime(1, 0);
        passShortTtl();
        otherProcess().busy(held.id());
        assertThat(store().renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    /** A process that ends after a renewal leaves its lease to the store's clock. */
    @Test
    default void renewedAndRepeatedLeasesExpire() {
        Duration ttl = shortTtl();
        Duration longest = ttl;
        Held renewed = store().grant(store().id("renewed0"), longest);
        // on a busy machine a lease may have expired before it is renewed
        for (int attempt = 1; store().renew(renewed, ttl) != RenewAnswer.RENEWED && attempt < 5; attempt++) {
            longest = longest.multipliedBy(2);
            renewed = store().grant(store().id("renewed" + attempt), longest);
        }
        AcquireCommand repeated = new AcquireCommand(store().id("repeated"), store().token(), longest, 1, false);
        store().grant(repeated);
        store().acquire(repeated);
        passTime(longest.plus(expirySlack()));
        assertThat(store().renew(renewed, LONG)).isEqualTo(RenewAnswer.NOT_OWNER);
        otherProcess().grant(renewed.id(), LONG);
        otherProcess().grant(repeated.id(), LONG);
    }

    @Test
    default void aBatchRenewsWhatHasNotExpired() {
        Held expired = store().grant(store().id("a"), shortTtl());
        Held held = store().grant("b");
        passShortTtl();
        assertThat(store().renew(List.of(
                        new RenewCommand(expired.id(), expired.token(), LONG),
                        new RenewCommand(held.id(), held.token(), LONG))))
                .containsExactly(RenewAnswer.NOT_OWNER, RenewAnswer.RENEWED);
    }

    @Test
    default void theTokenOfAnExpiredLeaseGetsANewLeaseWithANewFence() {
        AcquireCommand command = new AcquireCommand(store().id("a"), store().token(), shortTtl(), 10, false);
        Held expired = store().grant(command);
        passShortTtl();
        assertThat(store().grant(command).firstFence()).isGreaterThanOrEqualTo(expired.firstFence() + 10);
    }

    @Test
    default void aLeaseDoesNotEndBeforeItsTtl() {
        renewedInTime(4, 2);
    }

    /**
     * A store that counts in seconds has to round up: holders rely on each lease for the whole ttl. The leases are
     * tested together, since each needs more than a second.
     */
    @Test
    default void grantedRenewedRepeatedAndRetainedLeasesLastForTheirMilliseconds() {
        long seconds = Math.max(1, shortTtl().toSeconds());
        Duration ttl = Duration.ofSeconds(seconds).plusMillis(990);
        Duration pause = Duration.ofSeconds(seconds).plusMillis(50);
        Map<String, Boolean> lasted = Map.of();
        // a busy machine may take longer than the ttl, but not each time
        for (int attempt = 0; attempt < 5 && (attempt == 0 || lasted.containsValue(false)); attempt++) {
            LockId id = store().id("repeated" + attempt);
            AcquireCommand repeated = new AcquireCommand(id, store().token(), ttl, 1, false);
            store().grant(repeated);
            Held renewed = store().grant(store().id("renewed" + attempt), ttl);
            Held retained = store().grant("retained" + attempt);
            store().release(retained, ttl);
            passTime(pause);
            lasted = new LinkedHashMap<>();
            lasted.put("granted", store().renew(renewed, ttl) == RenewAnswer.RENEWED);
            lasted.put(
                    "retained",
                    otherProcess().acquire(retained.id(), otherProcess().token(), LONG) instanceof Busy);
            store().acquire(repeated);
            passTime(pause);
            lasted.put("renewed", store().renew(renewed, ttl) == RenewAnswer.RENEWED);
            lasted.put("repeated", store().renew(new RenewCommand(id, repeated.token(), ttl)) == RenewAnswer.RENEWED);
        }
        assertThat(lasted).as("the lease lasted").doesNotContainValue(false);
    }

    /** Grants and renews a lease. A busy machine may take longer than the ttl; a correct store fails no longer one. */
    private Held renewedInTime(int ttls, int pauses) {
        Held held = store().grant(store().id("a"), shortTtl().multipliedBy(ttls));
        passTime(shortTtl().multipliedBy(pauses));
        RenewAnswer answer = store().renew(held, LONG);
        if (answer != RenewAnswer.RENEWED && ttls < 32) {
            return renewedInTime(2 * ttls, 2 * pauses);
        }
        assertThat(answer).isEqualTo(RenewAnswer.RENEWED);
        return held;
    }
}
