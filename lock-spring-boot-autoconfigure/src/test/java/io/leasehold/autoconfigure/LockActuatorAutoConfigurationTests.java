package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.actuate.LockHealthIndicator;
import io.leasehold.actuate.LocksEndpoint;
import io.leasehold.actuate.LocksEndpoint.HeldDescriptor;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What the actuator sees of locks. */
class LockActuatorAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockAutoConfiguration.class,
                    LocksEndpointAutoConfiguration.class,
                    LockHealthContributorAutoConfiguration.class))
            .withPropertyValues(
                    "lock.backend=memory",
                    "lock.lockers.deploy.ttl=10s",
                    "management.endpoints.web.exposure.include=locks");

    @Test
    void theEndpointMasksKeys() {
        runner.run(context -> assertThat(
                        held(context.getBean(LocksEndpoint.class), context.getBean("deployLocker", Locker.class)))
                .extracting(HeldDescriptor::key)
                .isEqualTo("******"));
    }

    @Test
    void theEndpointShowsKeysIfItIsTold() {
        runner.withPropertyValues("management.endpoint.locks.show-values=always")
                .run(context -> {
                    HeldDescriptor held =
                            held(context.getBean(LocksEndpoint.class), context.getBean("deployLocker", Locker.class));
                    assertThat(held.key()).isEqualTo("service-a");
                    assertThat(held.fencingToken()).isPositive();
                    assertThat(held.remaining()).isPositive();
                });
    }

    @Test
    void theEndpointIsNotThereUnlessExposed() {
        runner.withPropertyValues("management.endpoints.web.exposure.include=health")
                .run(context -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
    }

    @Test
    void theStoresAreHealthy() {
        runner.run(context -> {
            assertThat(context.getBean(LockHealthIndicator.class).health().getStatus())
                    .isEqualTo(Status.UP);
            assertThat(context.getBean(LockHealthIndicator.class).health().getDetails())
                    .containsOnlyKeys("memory");
        });
    }

    @Test
    void healthIsNotThereWhenSwitchedOff() {
        runner.withPropertyValues("management.health.locks.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(LockHealthIndicator.class));
    }

    @Test
    void healthIsThereWithoutEndpoints() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LockAutoConfiguration.class, LockHealthContributorAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context).hasNotFailed().hasBean("locksHealthIndicator"));
    }

    @Test
    void theEndpointIsThereWithoutHealth() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LockAutoConfiguration.class, LocksEndpointAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=locks")
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .run(context -> assertThat(context).hasNotFailed().hasBean("locksEndpoint"));
    }

    private static HeldDescriptor held(LocksEndpoint endpoint, Locker locker) {
        try (LockHandle handle = locker.lock("service-a")) {
            assertThat(handle.isHeld()).isTrue();
            return endpoint.locks().lockers().get(locker.name()).held().get(0);
        }
    }
}
