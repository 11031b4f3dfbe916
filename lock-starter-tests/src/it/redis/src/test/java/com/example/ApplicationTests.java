package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.redis.RedisLockBackend;
import io.leasehold.servers.redis.RedisServer;
import java.io.File;
import java.net.URI;
import java.util.List;
import java.util.jar.JarFile;
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
    static void redis(DynamicPropertyRegistry properties) {
        RedisServer server = RedisServer.shared();
        properties.add("spring.data.redis.host", server::host);
        properties.add("spring.data.redis.port", server::port);
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
    void theJarsHaveALicenceAndANameAsModules() throws Exception {
        for (Class<?> type : List.of(Locker.class, DistributedLock.class, RedisLockBackend.class)) {
            URI jar = type.getProtectionDomain().getCodeSource().getLocation().toURI();
            try (JarFile opened = new JarFile(new File(jar))) {
                assertThat(opened.getEntry("META-INF/LICENSE")).isNotNull();
                assertThat(opened.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
                        .startsWith("io.leasehold");
            }
        }
    }

    @Test
    void theApplicationIsHealthy() {
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.leasehold.jdbc.JdbcLockBackend",
                "io.leasehold.etcd.EtcdLockBackend"
            })
    void otherStoresAreNotOnTheClassPath(String type) {
        assertThat(ClassUtils.isPresent(type, getClass().getClassLoader())).isFalse();
    }
}
