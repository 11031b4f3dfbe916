package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.LockId;
import org.junit.jupiter.api.Test;

class RecentlyBusyTests {

    private final RecentlyBusy busy = new RecentlyBusy();

    private final LockId id = LockId.of("ns", "a");

    @Test
    void aLockIsTakenForFreeUntilItIsFoundBusy() {
        assertThat(busy.isLikely(id)).isFalse();
        busy.found(id);
        assertThat(busy.isLikely(id)).isTrue();
    }

    @Test
    void theGuessIsGivenUpAfterAWhile() {
        busy.found(id);
        for (int i = 0; i < 16; i++) {
            assertThat(busy.isLikely(id)).isTrue();
        }
        assertThat(busy.isLikely(id)).isFalse();
    }
}
