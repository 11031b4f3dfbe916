package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockKeys;
import io.leasehold.LockState;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.LossReason;
import io.leasehold.actuate.LocksEndpoint;
import io.leasehold.aop.FakeTransactions;
import io.leasehold.autoconfigure.locker.LockerFactory;
import io.leasehold.locker.LockCustomizerException;
import io.leasehold.locker.RuntimeLocker;
import io.leasehold.locker.RuntimeLockers;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.metrics.MicrometerLockListener;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

/** Lockers that the application creates and closes while it runs. */
class RuntimeLockersTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockAutoConfiguration.class,
                    LockDisabledAutoConfiguration.class,
                    LockMetricsAutoConfiguration.class,
                    LocksEndpointAutoConfiguration.class))
            .withBean(SimpleMeterRegistry.class)
            .withPropertyValues(
                    "lock.backend=memory",
                    "lock.lockers.deploy.wait-time=0s",
                    "lock.defaults.wait-time=0s",
                    "management.endpoints.web.exposure.include=locks");

    /** Spring creates one lazy bean at a time. */
    @Test
    void aLazyBeanCreatesALockerWhileAnotherThreadCreatesTheFirst() {
        AtomicReference<Thread> other = new AtomicReference<>();
        runner.withPropertyValues("lock.backend=lazyStore", "lock.lockers.deploy.backend=memory")
                .withBean(
                        "lazyStore",
                        MemoryLockBackend.class,
                        () -> new MemoryLockBackend(System::nanoTime, InstantSource.system()),
                        bean -> bean.setLazyInit(true))
                .run(context -> {
                    RuntimeLockers lockers = context.getBean(RuntimeLockers.class);
                    ((GenericApplicationContext) context.getSourceApplicationContext())
                            .registerBean(LazyService.class, () -> {
                                Thread first = new Thread(() -> lockers.create("first"), "first");
                                first.setDaemon(true);
                                other.set(first);
                                first.start();
                                await().until(() -> first.getState() != Thread.State.RUNNABLE);
                                return new LazyService(lockers.create("second"));
                            });
                    CompletableFuture<LazyService> created =
                            CompletableFuture.supplyAsync(() -> context.getBean(LazyService.class));
                    assertThat(created).succeedsWithin(LONG);
                    other.get().join(LONG.toMillis());
                    assertThat(context.getBean(LockerRegistry.class).names()).contains("first", "second");
                });
    }

    private record LazyService(RuntimeLocker locker) {}

    @Test
    void aCreatedLockerHasTheDefaultsAndIsInTheRegistryTheEndpointAndTheMetersUntilItIsClosed() {
        runner.run(context -> {
            LockerRegistry registry = context.getBean(LockerRegistry.class);
            LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
            SimpleMeterRegistry meters = context.getBean(SimpleMeterRegistry.class);
            int metersBefore = meters.getMeters().size();

            RuntimeLocker tenant = context.getBean(RuntimeLockers.class).create("tenant-42");

            assertThat(meters.find("lock.held").tag("locker", "tenant-42").gauge())
                    .isNotNull();
            LockHandle held = tenant.lock("invoices");
            assertThat(tenant.tryLock("invoices")).isEmpty();
            assertThat(tenant.describe("invoices")).succeedsWithin(LONG).isInstanceOf(LockState.Held.class);
            assertThat(registry.names()).contains("tenant-42", "deploy");
            assertThat(registry.get("tenant-42").tryLock("invoices")).isEmpty();
            assertThat(registry.status("tenant-42").held()).hasSize(1);
            assertThat(endpoint.locks().lockers().get("tenant-42").held()).hasSize(1);
            assertThat(meters.get("lock.held")
                            .tag("locker", "tenant-42")
                            .gauge()
                            .value())
                    .isEqualTo(1);
            AtomicReference<LossReason> lost = new AtomicReference<>();
            held.onLost(lost::set);

            tenant.close();
            tenant.close();

            assertThat(held.isHeld()).isFalse();
            assertThat(registry.names()).doesNotContain("tenant-42");
            assertThat(endpoint.locks().lockers()).doesNotContainKey("tenant-42");
            org.awaitility.Awaitility.await().untilAtomic(lost, org.hamcrest.Matchers.is(LossReason.SHUTDOWN));
            assertThat(meters.getMeters()).hasSize(metersBefore);
            assertThatExceptionOfType(LockBackendException.class)
                    .isThrownBy(() -> tenant.lock("invoices"))
                    .withMessageContainingAll("'invoices'", "'tenant-42'", "shut down");
        });
    }

    /** Events are reported on another thread, which may be in the middle of one. */
    @Test
    void anEventDuringTheCloseOfALockerLeavesNoMeters() {
        runner.run(context -> {
            SimpleMeterRegistry meters = context.getBean(SimpleMeterRegistry.class);
            int metersBefore = meters.getMeters().size();
            MicrometerLockListener listener = context.getBean(MicrometerLockListener.class);
            RuntimeLockers lockers = context.getBean(RuntimeLockers.class);
            RuntimeLocker tenant = lockers.create("tenant");
            LockHandle held = tenant.lock("invoices");
            context.getBean(LockerFactory.class).observe(name -> {}, name -> {
                listener.lost(held, LossReason.SHUTDOWN, Duration.ZERO);
                assertThatIllegalArgumentException().isThrownBy(() -> lockers.create("tenant"));
            });

            tenant.close();

            assertThat(meters.getMeters()).hasSize(metersBefore);
        });
    }

    @Test
    void theNameOfAClosedLockerIsFreeAndItsLocksAreToo() {
        runner.run(context -> {
            RuntimeLockers lockers = context.getBean(RuntimeLockers.class);
            RuntimeLocker first = lockers.create("tenant");
            first.lock("invoices");
            first.close();
            try (RuntimeLocker second = lockers.create("tenant");
                    LockHandle held = second.lock("invoices")) {
                first.close();
                assertThat(held.isHeld()).isTrue();
                assertThat(context.getBean(LockerRegistry.class).names()).contains("tenant");
            }
        });
    }

    @Test
    void aCallerThatWaitsFailsWhenTheLockerIsClosed() {
        runner.run(context -> {
            RuntimeLocker tenant = context.getBean(RuntimeLockers.class)
                    .create("tenant", settings -> settings.withWaitTime(Duration.ofHours(1)));
            tenant.lock("invoices");
            CompletableFuture<?> waiting = CompletableFuture.supplyAsync(() -> tenant.lock("invoices"));
            LockerRegistry registry = context.getBean(LockerRegistry.class);
            org.awaitility.Awaitility.await()
                    .until(() -> registry.status("tenant").waiting() == 1);

            tenant.close();

            assertThat(waiting).failsWithin(LONG).withThrowableThat().withCauseInstanceOf(LockBackendException.class);
        });
    }

    @Test
    void settingsOfItsOwnOverrideTheDefaults() {
        runner.withPropertyValues("lock.namespace=shop").run(context -> {
            RuntimeLockers lockers = context.getBean(RuntimeLockers.class);
            Locker one = lockers.create("one", settings -> settings.withNamespace("shared"));
            Locker other = lockers.create(
                    "other",
                    settings -> settings.withNamespace("shared").withTtl(LONG).withMaxHoldTime(LONG));
            Locker apart = lockers.create("apart");
            LockHandle held = one.lock("invoices");
            assertThat(other.tryLock("invoices")).isEmpty();
            assertThat(apart.tryLock("invoices")).isPresent();
            held.release();
            assertThat(other.lock("invoices").remaining()).isLessThanOrEqualTo(LONG);
        });
    }

    @Test
    void itTakesPartInTransactions() {
        runner.run(context -> {
            Locker tenant = context.getBean(RuntimeLockers.class).create("tenant");
            LockHandle held = new TransactionTemplate(new FakeTransactions()).execute(status -> {
                LockHandle lock = tenant.lock("invoices");
                lock.release();
                assertThat(lock.isHeld()).isTrue();
                return lock;
            });
            assertThat(held.isHeld()).isFalse();
        });
    }

    @Test
    void itMasksKeysAndHasACircuitBreakerIfAllLockersDo() {
        runner.withBean(CircuitBreakerRegistry.class, CircuitBreakerRegistry::ofDefaults)
                .withPropertyValues("lock.mask-keys=true", "lock.circuit-breaker.enabled=true")
                .run(context -> {
                    CircuitBreakerRegistry breakers = context.getBean(CircuitBreakerRegistry.class);
                    try (RuntimeLocker tenant =
                            context.getBean(RuntimeLockers.class).create("tenant")) {
                        assertThat(tenant.lock("invoices").key()).isEqualTo(LockKeys.mask("invoices"));
                        assertThat(breakers.find("lock-tenant")).isPresent();
                    }
                    assertThat(breakers.find("lock-tenant")).isEmpty();
                });
    }

    @Test
    void aNameThatIsTakenOrInvalidAndSettingsThatCannotBeUsedAreRejected() {
        runner.run(context -> {
            RuntimeLockers lockers = context.getBean(RuntimeLockers.class);
            lockers.create("tenant");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lockers.create("tenant"))
                    .withMessageContainingAll("'tenant'", "already");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lockers.create("deploy"))
                    .withMessageContainingAll("'deploy'", "already");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lockers.create("a b"))
                    .withMessageContaining("'a b'");
            assertThatExceptionOfType(LockCustomizerException.class)
                    .isThrownBy(() -> lockers.create("short", settings -> settings.withTtl(Duration.ZERO)))
                    .withMessageContainingAll("RuntimeLockers.create", "'short'", "ttl");
            assertThat(context.getBean(LockerRegistry.class).names()).doesNotContain("short");
            lockers.create("short").close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBeanMayCreateTheLockerOfItsName(boolean enabled) {
        runner.withUserConfiguration(Tenant.class)
                .withPropertyValues("lock.enabled=" + enabled, "lock.disabled-mode=run-unlocked")
                .run(context -> {
                    LockerRegistry registry = context.getBean(LockerRegistry.class);
                    assertThat(registry.names()).contains("tenant");
                    Locker tenant = context.getBean("tenantLocker", Locker.class);
                    try (LockHandle held = registry.get("tenant").lock("invoices")) {
                        assertThat(held.isHeld()).isTrue();
                        assertThat(tenant.tryLock("invoices").isPresent()).isEqualTo(!enabled);
                    }
                    assertThatIllegalArgumentException()
                            .isThrownBy(
                                    () -> context.getBean(RuntimeLockers.class).create("tenant"))
                            .withMessageContainingAll("'tenant'", "already");
                });
    }

    /** It would not have the properties of that name. */
    @Test
    void aBeanMustNotCreateALockerThatIsConfigured() {
        runner.withUserConfiguration(Tenant.class)
                .withPropertyValues("lock.lockers.tenant.ttl=10s")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContainingAll("'tenant'", "already"));
    }

    @Test
    void theStatusOfABeanIsThatOfItsLockerUnderAnyName() {
        runner.withUserConfiguration(Tenant42.class).run(context -> {
            LockerRegistry registry = context.getBean(LockerRegistry.class);
            try (LockHandle held = registry.get("tenant42").lock("invoices")) {
                assertThat(registry.status("tenant42").held()).hasSize(1);
                assertThat(registry.status("tenant-42").held()).hasSize(1);
                assertThat(held.isHeld()).isTrue();
            }
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Tenant {

        @Bean
        RuntimeLocker tenantLocker(RuntimeLockers lockers) {
            return lockers.create("tenant");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Tenant42 {

        @Bean
        RuntimeLocker tenant42Locker(RuntimeLockers lockers) {
            return lockers.create("tenant-42");
        }
    }

    @Test
    void whileLocksAreDisabledItGrantsEverythingOrNothingAsConfigured() {
        runner.withPropertyValues("lock.enabled=false", "lock.disabled-mode=run-unlocked")
                .run(context -> {
                    RuntimeLocker tenant = context.getBean(RuntimeLockers.class).create("tenant");
                    assertThat(tenant.tryLock("invoices")).isPresent();
                    assertThat(tenant.tryLock("invoices")).isPresent();
                    assertThat(context.getBean(LockerRegistry.class).names()).contains("tenant");
                    tenant.close();
                    assertThat(context.getBean(LockerRegistry.class).names()).doesNotContain("tenant");
                });
    }
}
