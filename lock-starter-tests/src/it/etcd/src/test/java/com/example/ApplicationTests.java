package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.servers.etcd.SharedEtcd;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.util.ClassUtils;

@SpringBootTest
class ApplicationTests {

    @Autowired
    private BillingService billing;

    @Autowired
    private Locker billingLocker;

    @Autowired
    private HealthEndpoint health;

    @DynamicPropertySource
    static void etcd(DynamicPropertyRegistry properties) {
        properties.add("lock.etcd.endpoints", SharedEtcd::endpoint);
    }

    @Test
    void theAnnotatedMethodRunsUnderItsLock() {
        long first = billing.charge(7);
        assertThat(billing.charge(7)).isGreaterThan(first);
    }

    @Test
    void aHeldLockIsDeniedToOthers() {
        try (LockHandle held = billingLocker.lock("8")) {
            assertThat(held.isHeld()).isTrue();
            assertThat(billingLocker.tryLock("8")).isEmpty();
        }
        assertThat(billingLocker.tryLock("8")).isPresent();
    }

    @Test
    void theApplicationIsHealthy() {
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.lettuce.core.RedisClient",
                "org.springframework.data.redis.connection.RedisConnectionFactory",
                "io.leasehold.redis.RedisLockBackend",
                "io.leasehold.jdbc.JdbcLockBackend"
            })
    void otherStoresAreNotOnTheClassPath(String type) {
        assertThat(ClassUtils.isPresent(type, getClass().getClassLoader())).isFalse();
    }
}
