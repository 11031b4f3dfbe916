package io.leasehold.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requested length of a lease, and the time for which it is relied on. */
class EtcdLeaseTests {

    private static final long NEAR_OVERFLOW = Long.MAX_VALUE - 1_000;

    @ParameterizedTest
    @CsvSource({"PT0.4S,1", "PT0.5S,1", "PT0.501S,2", "PT1.5S,2", "PT1.501S,3", "PT30S,31", "PT20H,72001"})
    void aLeaseOutlivesItsTtlByHalfASecondOrMore(Duration ttl, long seconds) {
        assertThat(EtcdLease.secondsFor(ttl)).isEqualTo(seconds);
    }

    @Test
    void itCoversTheTtlWhileTheSlackLasts() {
        EtcdLease lease = new EtcdLease(1, 11, NEAR_OVERFLOW);
        Duration ttl = Duration.ofSeconds(10);
        assertThat(lease.covers(ttl, NEAR_OVERFLOW + Duration.ofMillis(1_000).toNanos()))
                .isTrue();
        assertThat(lease.covers(ttl, NEAR_OVERFLOW + Duration.ofMillis(1_001).toNanos()))
                .isFalse();
    }

    @Test
    void keptAliveItCoversTheTtlAgain() {
        EtcdLease lease = new EtcdLease(1, 11, 0);
        lease.keptAlive(5_000_000_000L);
        assertThat(lease.remaining(6_000_000_000L)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void anOlderKeepAliveThatComesLateChangesNothing() {
        EtcdLease lease = new EtcdLease(1, 11, NEAR_OVERFLOW);
        lease.keptAlive(NEAR_OVERFLOW + 5_000);
        lease.keptAlive(NEAR_OVERFLOW + 2_000);
        assertThat(lease.remaining(NEAR_OVERFLOW + 5_000)).isEqualTo(Duration.ofSeconds(11));
    }
}
