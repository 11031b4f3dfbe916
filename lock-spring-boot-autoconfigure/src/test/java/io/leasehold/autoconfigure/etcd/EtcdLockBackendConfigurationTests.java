package io.leasehold.autoconfigure.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import io.leasehold.servers.etcd.SharedEtcd;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Lockers in etcd. */
class EtcdLockBackendConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("lock.lockers.deploy.backend=etcd", "lock.lockers.deploy.ttl=30s");

    @Test
    void aLockerLocksInEtcd() {
        runner.withPropertyValues("lock.etcd.endpoints[0]=" + SharedEtcd.endpoint())
                .run(context -> {
                    assertThat(context.getBean(LockerRegistry.class)
                                    .status("deploy")
                                    .backend())
                            .isEqualTo("etcd");
                    Locker deploy = context.getBean("deployLocker", Locker.class);
                    try (LockHandle handle = deploy.lock("service-a")) {
                        assertThat(handle.isHeld()).isTrue();
                        assertThat(deploy.tryLock("service-a")).isEmpty();
                    }
                });
    }

    @Test
    void endpointsHaveToBeSet() {
        FailureAnalysis analysis = StartFailures.of(runner);

        assertThat(analysis.getDescription()).isEqualTo("'lock.etcd.endpoints' must be set.");
        assertThat(analysis.getAction()).contains("http://localhost:2379");
    }

    @Test
    void whatTheStoreRefusesIsNamedByItsProperty() {
        FailureAnalysis analysis =
                StartFailures.of(runner.withPropertyValues("lock.etcd.endpoints=http://a:1,https://b:2"));

        assertThat(analysis.getDescription())
                .startsWith(
                        "'lock.etcd.endpoints' must be all http or all https: [http://a:1, https://b:2]. It is set in");
    }

    @Test
    void aUserWithoutPasswordIsRefused() {
        FailureAnalysis analysis =
                StartFailures.of(runner.withPropertyValues("lock.etcd.endpoints=http://a:1", "lock.etcd.user=locks"));

        assertThat(analysis.getDescription())
                .startsWith(
                        "'lock.etcd.user' and 'lock.etcd.password' must be given together: user 'locks'. It is set in");
    }

    @Test
    void withoutItsModuleTheNextStepIsToAddTheStarter() {
        FailureAnalysis analysis =
                StartFailures.of(runner.withClassLoader(new FilteredClassLoader("io.leasehold.etcd")));

        assertThat(analysis.getDescription()).contains("one of [memory]: 'etcd'");
        assertThat(analysis.getAction()).contains("Add lock-spring-boot-starter-etcd");
    }
}
