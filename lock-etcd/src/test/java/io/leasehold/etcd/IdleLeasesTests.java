package io.leasehold.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The leases that are kept for their next use. */
class IdleLeasesTests {

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

    private final IdleLeases idle = new IdleLeases(clock::get, 2);

    @Test
    void theLastLeaseAddedIsTheNextToBeUsed() {
        EtcdLease first = lease(1, 10);
        EtcdLease second = lease(2, 10);
        idle.keep(first);
        idle.keep(second);
        assertThat(idle.take(10)).isSameAs(second);
        assertThat(idle.take(10)).isSameAs(first);
        assertThat(idle.take(10)).isNull();
    }

    @Test
    void aLeaseOfAnotherLengthIsNotTaken() {
        idle.keep(lease(1, 10));
        assertThat(idle.take(11)).isNull();
    }

    @Test
    void aLeaseThatMayHaveExpiredIsNotTaken() {
        idle.keep(lease(1, 10));
        clock.addAndGet(Duration.ofMillis(9_500).toNanos());
        assertThat(idle.take(10)).isNull();
    }

    @Test
    void theNumberOfLeasesIsLimited() {
        assertThat(idle.keep(lease(1, 10))).isTrue();
        assertThat(idle.keep(lease(2, 20))).isTrue();
        assertThat(idle.keep(lease(3, 10))).isFalse();
    }

    @Test
    void expiredOnesMakeRoom() {
        idle.keep(lease(1, 10));
        idle.keep(lease(2, 20));
        clock.addAndGet(Duration.ofSeconds(15).toNanos());
        assertThat(idle.keep(lease(3, 30))).isTrue();
        assertThat(idle.keep(lease(4, 30))).isFalse();
    }

    @Test
    void closedItHandsOutAllAndKeepsNone() {
        EtcdLease kept = lease(1, 10);
        idle.keep(kept);
        assertThat(idle.close()).containsExactly(kept);
        assertThat(idle.keep(lease(2, 10))).isFalse();
        assertThat(idle.take(10)).isNull();
    }

    private EtcdLease lease(long id, long seconds) {
        return new EtcdLease(id, seconds, clock.get());
    }
}
