package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListing;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.Locker;
import io.leasehold.actuate.LockHealthIndicator;
import io.leasehold.actuate.LockerDescriptor.HeldDescriptor;
import io.leasehold.actuate.LocksEndpoint;
import io.leasehold.actuate.StoreProbe.StoreState;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.management.MBeanException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
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
                .extracting(HeldDescriptor::key, HeldDescriptor::thread)
                .containsExactly("******", "******"));
    }

    @Test
    void theEndpointShowsWaitingCallersInTheirOrder() {
        runner.withPropertyValues("management.endpoint.locks.show-values=always")
                .run(context -> {
                    Locker locker = context.getBean("deployLocker", Locker.class);
                    try (LockHandle handle = locker.lock("service-a")) {
                        assertThat(handle.isHeld()).isTrue();
                        locker.tryLockAsync(LockRequest.of("service-a").withWaitTime(Duration.ofMinutes(1)));
                        locker.tryLockAsync(LockRequest.of("service-a").withWaitTime(Duration.ofMinutes(1)));
                        assertThat(context.getBean(LocksEndpoint.class)
                                        .locks()
                                        .lockers()
                                        .get("deploy")
                                        .waiters())
                                .satisfiesExactly(
                                        first -> {
                                            assertThat(first.key()).isEqualTo("service-a");
                                            assertThat(first.place()).isEqualTo(1);
                                            assertThat(first.waited()).isGreaterThanOrEqualTo(Duration.ZERO);
                                            assertThat(first.thread()).isNull();
                                        },
                                        second -> assertThat(second.place()).isEqualTo(2));
                    }
                });
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
                    assertThat(held.age()).isGreaterThanOrEqualTo(Duration.ZERO);
                    assertThat(held.renewals()).isZero();
                    assertThat(held.thread())
                            .isEqualTo(Thread.currentThread().getName() + ", thread "
                                    + Thread.currentThread().getId());
                });
    }

    @Test
    void theEndpointIsNotThereUnlessExposed() {
        runner.withPropertyValues("management.endpoints.web.exposure.include=health")
                .run(context -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
    }

    /** A client such as jconsole has neither the classes of this library nor those of a store. */
    @ParameterizedTest
    @CsvSource({"lock,deploy/service-a", "list,deploy"})
    void aJmxClientGetsFailuresAsClassesOfTheJdk(String operation, String argument) {
        runner.withConfiguration(AutoConfigurations.of(
                        EndpointAutoConfiguration.class,
                        JmxAutoConfiguration.class,
                        JmxEndpointAutoConfiguration.class))
                .withBean("failing", LockBackend.class, FailingStore::new)
                .withPropertyValues(
                        "lock.backend=failing",
                        "spring.jmx.enabled=true",
                        "management.endpoints.jmx.exposure.include=locks")
                .run(context -> {
                    ObjectName locks = new ObjectName("org.springframework.boot:type=Endpoint,name=Locks");
                    MBeanServer server = context.getBean(MBeanServer.class);
                    Object[] arguments = operation.equals("lock")
                            ? new Object[] {argument.split("/")}
                            : new Object[] {argument, null, null};
                    String[] types = operation.equals("lock")
                            ? new String[] {String[].class.getName()}
                            : new String[] {"java.lang.String", "java.lang.Integer", "java.lang.String"};
                    assertThatThrownBy(() -> server.invoke(locks, operation, arguments, types))
                            .isInstanceOf(MBeanException.class)
                            .hasMessageContainingAll("'deploy'", "the store is away")
                            .satisfies(failure -> assertThat(chain(failure))
                                    .allMatch(each -> each.getClass().getName().matches("javax?[.].*")));
                });
    }

    private static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable each = failure; each != null; each = each.getCause()) {
            chain.add(each);
            chain.addAll(List.of(each.getSuppressed()));
        }
        return chain;
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
    void healthHasFiguresOfTheStore() {
        runner.run(context -> {
            try (LockHandle handle =
                    context.getBean("deployLocker", Locker.class).lock("service-a")) {
                assertThat(handle.isHeld()).isTrue();
                StoreState state = (StoreState) context.getBean(LockHealthIndicator.class)
                        .health()
                        .getDetails()
                        .get("memory");
                assertThat(state.figures().latencyMillis()).isNotNegative();
                assertThat(state.figures().renewalLagMillis()).isNull();
            }
        });
    }

    @Test
    void aStoreWithAnotherClockAndLateRenewalsIsHealthy() {
        runner.withBean("slow", LockBackend.class, () -> new StoreWithClock(60_000))
                .withPropertyValues("lock.backend=slow", "lock.lockers.deploy.ttl=300ms")
                .run(context -> {
                    LockHealthIndicator health = context.getBean(LockHealthIndicator.class);
                    try (LockHandle handle =
                            context.getBean("deployLocker", Locker.class).lock("service-a")) {
                        assertThat(handle.isHeld()).isTrue();
                        await().untilAsserted(() -> {
                            StoreState state =
                                    (StoreState) health.health().getDetails().get("slow");
                            assertThat(state.figures().renewalLagMillis()).isNotNull();
                            assertThat(state.figures().clockOffsetMillis()).isBetween(30_000L, 90_000L);
                            assertThat(state.findings())
                                    .singleElement()
                                    .asString()
                                    .contains("clock-offset");
                        });
                        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
                    }
                });
    }

    @Test
    void aStoreThatIsNeverInspectedIsDownIfItDoesNotAnswer() {
        runner.withBean("minimal", LockBackend.class, MinimalStore::new)
                .withPropertyValues("lock.backend=minimal")
                .run(context -> {
                    Locker locker = context.getBean("deployLocker", Locker.class);
                    assertThatExceptionOfType(LockBackendException.class)
                            .isThrownBy(() -> locker.tryLock("service-a", Duration.ZERO));
                    Health health = context.getBean(LockHealthIndicator.class).health();
                    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                    assertThat(((StoreState) health.getDetails().get("minimal")).error())
                            .contains("the store is away");
                });
    }

    /** Such as a driver whose class cannot be loaded. The health of other parts of the application is still shown. */
    @Test
    void aStoreWhoseInspectionEndsWithAnErrorIsDown() {
        runner.withBean("broken", LockBackend.class, StoreWithoutClasses::new)
                .withPropertyValues("lock.backend=broken")
                .run(context -> {
                    context.getBean("deployLocker", Locker.class)
                            .lock("service-a")
                            .close();
                    Health health = context.getBean(LockHealthIndicator.class).health();
                    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                    assertThat(((StoreState) health.getDetails().get("broken")).error())
                            .contains("planted");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"locksHealthIndicator", "locksHealthContributor"})
    void theApplicationMayReplaceTheHealth(String bean) {
        HealthIndicator own = Health.outOfService()::build;
        runner.withConfiguration(AutoConfigurations.of(
                        HealthContributorAutoConfiguration.class, HealthContributorRegistryAutoConfiguration.class))
                .withBean(bean, HealthIndicator.class, () -> own)
                .run(context -> assertThat(
                                context.getBean(HealthContributorRegistry.class).getContributor("locks"))
                        .isSameAs(own));
    }

    @Test
    void healthIsNotThereWhenSwitchedOff() {
        runner.withPropertyValues("management.health.locks.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(LockHealthIndicator.class));
    }

    private static HeldDescriptor held(LocksEndpoint endpoint, Locker locker) {
        try (LockHandle handle = locker.lock("service-a")) {
            assertThat(handle.isHeld()).isTrue();
            return endpoint.locks().lockers().get(locker.name()).held().get(0);
        }
    }

    /** A store in memory that answers no question. */
    private static final class FailingStore extends DelegatingLockBackend {

        FailingStore() {
            super(new MemoryLockBackend(System::nanoTime, Clock.systemUTC()));
        }

        @Override
        public CompletionStage<LockState> describe(LockId id) {
            return CompletableFuture.failedFuture(new BackendFailure(Effect.NOT_DONE, "the store is away", null));
        }

        @Override
        public CompletionStage<LockListing> list(String namespace, int limit) {
            return CompletableFuture.failedFuture(new BackendFailure(Effect.NOT_DONE, "the store is away", null));
        }
    }

    /** A store of another maker. It is down, and implements only the required methods. */
    private static final class MinimalStore implements LockBackend {

        @Override
        public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
            return away();
        }

        @Override
        public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
            return away();
        }

        @Override
        public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
            return away();
        }

        private static <T> CompletionStage<T> away() {
            return CompletableFuture.failedFuture(new BackendFailure(Effect.NOT_DONE, "the store is away", null));
        }
    }

    /** A store in memory that cannot be inspected. */
    private static final class StoreWithoutClasses extends DelegatingLockBackend {

        StoreWithoutClasses() {
            super(new MemoryLockBackend(System::nanoTime, Clock.systemUTC()));
        }

        @Override
        public CompletionStage<List<SafetyFinding>> inspect() {
            throw new NoClassDefFoundError("planted");
        }
    }

    /** A store in memory whose clock is ahead. */
    private static final class StoreWithClock extends DelegatingLockBackend {

        private final long aheadMillis;

        StoreWithClock(long aheadMillis) {
            super(new MemoryLockBackend(System::nanoTime, Clock.systemUTC()));
            this.aheadMillis = aheadMillis;
        }

        @Override
        public CompletionStage<OptionalLong> clockMillis() {
            return CompletableFuture.completedFuture(OptionalLong.of(System.currentTimeMillis() + aheadMillis));
        }
    }
}
