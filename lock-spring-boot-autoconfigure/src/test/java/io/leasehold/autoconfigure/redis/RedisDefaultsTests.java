package io.leasehold.autoconfigure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.RedisLockOptions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.mock.env.MockEnvironment;

/** Properties that are not set mean what the options of the backend mean by default. */
class RedisDefaultsTests {

    @Test
    void theDefaultsAgree() {
        assertThat(Binder.get(new MockEnvironment())
                        .bindOrCreate("lock.redis", RedisLockProperties.class)
                        .options())
                .isEqualTo(RedisLockOptions.defaults());
    }
}
