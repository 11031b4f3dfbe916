package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.LockBackend;
import org.junit.jupiter.api.Test;

/** Redis keeps the contract over Lettuce without the fast path. */
class PlainLettuceLockBackendTests extends LettuceLockBackendTests {

    @Override
    RedisLockOptions options() {
        return RedisLockOptions.defaults().withFastPath(false);
    }

    @Test
    void nothingDecoratesThePlainBackend() {
        try (LockBackend backend = create()) {
            assertThat(backend).isExactlyInstanceOf(RedisLockBackend.class);
        }
    }
}
