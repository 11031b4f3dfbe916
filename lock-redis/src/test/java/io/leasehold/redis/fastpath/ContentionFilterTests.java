package io.leasehold.redis.fastpath;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.LockId;
import org.junit.jupiter.api.Test;

class ContentionFilterTests {

    private final RedisFastPath.ContentionFilter busy = new RedisFastPath.ContentionFilter();

    private final LockId id = LockId.of("ns", "a");

    @Test
    void aLockIsAssumedFreeUntilItIsBusy() {
        assertThat(busy.isLikely(id)).isFalse();
        busy.found(id);
        assertThat(busy.isLikely(id)).isTrue();
    }

    @Test
    void theAssumptionExpires() {
        busy.found(id);
        for (int i = 0; i < 16; i++) {
            assertThat(busy.isLikely(id)).isTrue();
        }
        assertThat(busy.isLikely(id)).isFalse();
    }
}
