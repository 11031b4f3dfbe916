package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.actuate.LockHealthIndicator;
import io.leasehold.actuate.LocksEndpoint;
import io.leasehold.actuate.LocksEndpoint.LocksDescriptor;
import io.leasehold.actuate.LocksEndpointWebExtension;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.LockKeyType;
import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.locker.RuntimeLockers;
import io.leasehold.metrics.MicrometerLockListener;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.SafetyFinding;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.support.GenericBeanDefinition;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** A child context whose parent has lockers. */
@ExtendWith(OutputCaptureExtension.class)
class ChildContextTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory");

    private final ApplicationContextRunner named =
            runner.withPropertyValues("lock.lockers.first.ttl=30s", "lock.lockers.second.ttl=30s");

    private final ApplicationContextRunner parent = runner.withPropertyValues("lock.lockers.deploy.ttl=60s");

    @Test
    void aNameIsOneLockerInBothContexts() {
        parent.run(above -> parent.withParent(above).run(context -> {
            Locker locker = context.getBean("deployLocker", Locker.class);
            assertThat(locker).isSameAs(above.getBean("deployLocker"));
            assertThat(context.getBean("defaultLocker")).isSameAs(above.getBean("defaultLocker"));
            LockerRegistry lockers = context.getBean(LockerRegistry.class);
            assertThat(lockers.names()).containsExactly("default", "deploy");
            assertThat(lockers.get("deploy")).isSameAs(locker);
            try (LockHandle handle = locker.lock("key")) {
                assertThat(handle.isHeld()).isTrue();
                assertThat(above.getBean("deployLocker", Locker.class).tryLock("key"))
                        .isEmpty();
                assertThat(lockers.status("deploy").held()).hasSize(1);
            }
        }));
    }

    /** As services that several applications share. */
    @Test
    void aLockedBeanOfAParentWithoutTheAspectIsRefused() {
        new ApplicationContextRunner().withBean("plugin", Plugin.class).run(above -> {
            runner.withParent(above)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .isInstanceOf(LockDeclarationException.class)
                            .hasMessageContaining("Plugin.run() (bean 'plugin')")
                            .hasMessageContaining("is part of a parent context without LockAspectAutoConfiguration"));
            new ApplicationContextRunner()
                    .withParent(above)
                    .run(middle -> runner.withParent(middle)
                            .run(context -> assertThat(context)
                                    .getFailure()
                                    .isInstanceOf(LockDeclarationException.class)
                                    .hasMessageContaining("is part of a parent context")));
        });
    }

    /** As of transactions, whose proxies are by default those of interfaces in a context that is no Boot application. */
    @Test
    void aLockedBeanBehindAProxyOfItsInterfaceIsRefused() {
        Supplier<Runnable> proxied = () -> (Runnable) new ProxyFactory(new ProxiedPlugin()).getProxy();
        new ApplicationContextRunner()
                .withBean("plugin", Runnable.class, proxied)
                .run(above -> runner.withParent(above)
                        .run(context -> assertThat(context)
                                .getFailure()
                                .hasMessageContaining("ProxiedPlugin.run() (bean 'plugin')")
                                .hasMessageContaining("is part of a parent context")));
        parent.run(above -> {
            try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
                child.setParent(above);
                child.registerBean("plugin", Runnable.class, proxied);
                assertThatThrownBy(child::refresh).hasStackTraceContaining("is part of a child context");
            }
        });
    }

    @Test
    void aLockedBeanOfAParentWithTheAspectIsNotRefused() {
        parent.withBean("plugin", Plugin.class).run(above -> {
            parent.withParent(above).run(context -> assertThat(context).hasNotFailed());
            new ApplicationContextRunner()
                    .withParent(above)
                    .run(middle -> runner.withParent(middle)
                            .run(context -> assertThat(context).hasNotFailed()));
        });
    }

    @Test
    void aLockedBeanOfAParentThatSwitchesTheAspectOffIsNotRefused() {
        new ApplicationContextRunner()
                .withBean("plugin", Plugin.class)
                .withPropertyValues("lock.aspect.enabled=false")
                .run(above -> runner.withParent(above)
                        .withInitializer(child -> child.getEnvironment()
                                .getPropertySources()
                                .addFirst(new MapPropertySource("child", Map.of("lock.aspect.enabled", "true"))))
                        .run(context -> assertThat(context).hasNotFailed()));
    }

    /** As a template in XML, of which no bean is made. */
    @Test
    void anAbstractDefinitionIsNotRefused() {
        GenericBeanDefinition template = new GenericBeanDefinition();
        template.setBeanClass(Plugin.class);
        template.setAbstract(true);
        new ApplicationContextRunner()
                .withInitializer(
                        above -> ((GenericApplicationContext) above).registerBeanDefinition("template", template))
                .run(above -> runner.withParent(above)
                        .run(context -> assertThat(context).hasNotFailed()));
        parent.run(above -> {
            try (GenericApplicationContext child = new GenericApplicationContext(above)) {
                child.registerBeanDefinition("template", template);
                child.refresh();
            }
        });
    }

    /** As a plug-in, or a context for each tenant, that the application opens by hand. */
    @Test
    void aLockedBeanOfAChildWithoutTheAspectIsRefused() {
        parent.run(above -> {
            try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
                child.setParent(above);
                child.registerBean("plugin", Plugin.class);
                assertThatThrownBy(child::refresh)
                        .hasStackTraceContaining("is part of a child context without LockAspectAutoConfiguration");
            }
            try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
                child.setParent(above);
                child.registerBean("plain", String.class, () -> "no locks");
                child.refresh();
            }
        });
    }

    @Test
    void itIsRefusedAlsoIfOtherThreadsReceiveTheEvents() {
        SimpleApplicationEventMulticaster events = new SimpleApplicationEventMulticaster();
        events.setTaskExecutor(task -> {});
        parent.withBean("applicationEventMulticaster", ApplicationEventMulticaster.class, () -> events)
                .run(above -> {
                    try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
                        child.setParent(above);
                        child.registerBean("plugin", Plugin.class);
                        assertThatThrownBy(child::refresh)
                                .hasStackTraceContaining(
                                        "is part of a child context without LockAspectAutoConfiguration");
                    }
                });
    }

    /** A plain context inherits the sources of Spring Boot from its parent, which do not contain its own. */
    @Test
    void thePropertiesOfAPlainChildCount() {
        new ApplicationContextRunner()
                .withInitializer(context -> ConfigurationPropertySources.attach(context.getEnvironment()))
                .withPropertyValues("lock.aspect.enabled=false", "lock.lockers.audit.namespace=of-the-parent")
                .run(above -> {
                    try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
                        child.setParent(above);
                        child.getEnvironment()
                                .getPropertySources()
                                .addFirst(new MapPropertySource(
                                        "child",
                                        Map.of(
                                                "lock.backend", "memory",
                                                "lock.aspect.enabled", "true",
                                                "lock.lockers.audit.namespace", "of-the-child",
                                                "lock.lockers.reports.ttl", "20s")));
                        child.register(LockAutoConfiguration.class, LockAspectAutoConfiguration.class);
                        child.registerBean("plugin", Plugin.class);
                        child.refresh();
                        assertThat(child.getBean(LockerRegistry.class).names())
                                .containsExactly("audit", "default", "reports");
                        assertThat(child.getBean("auditLocker", Locker.class).lockSpace())
                                .asString()
                                .contains("of-the-child");
                        assertThat(AopUtils.isAopProxy(child.getBean("plugin"))).isTrue();
                    }
                });
    }

    @Test
    void otherSettingsForALockerOfTheParentAreReported(CapturedOutput output) {
        parent.run(above -> {
            parent.withParent(above).run(context -> assertThat(output).doesNotContain("have no effect"));
            parent.withParent(above)
                    .withInitializer(context -> context.getEnvironment()
                            .getPropertySources()
                            .addFirst(new MapPropertySource("child", Map.of("lock.lockers.deploy.ttl", "20s"))))
                    .run(context -> assertThat(output)
                            .contains(
                                    "[lock.lockers.deploy.ttl] have no effect on the locker 'deploy', since the parent of"
                                            + " this application context has it with other values. Set them in the parent's"
                                            + " configuration, or give this locker another name"));
        });
    }

    @Test
    void otherDefaultsForALockerOfTheParentAreReported(CapturedOutput output) {
        parent.withPropertyValues("lock.defaults.auto-renew=true")
                .run(above -> parent.withParent(above)
                        .withInitializer(context -> context.getEnvironment()
                                .getPropertySources()
                                .addFirst(new MapPropertySource(
                                        "child",
                                        Map.of(
                                                "lock.defaults.auto-renew", "true",
                                                "lock.defaults.ttl", "40s",
                                                "lock.defaults.wait-time", "5s",
                                                "lock.backend", "other",
                                                "lock.lockers.deploy.ttl", "60s"))))
                        .run(context -> assertThat(output)
                                .contains("[lock.backend, lock.defaults.ttl, lock.defaults.wait-time] have no effect on"
                                        + " the locker 'default'")
                                .contains("[lock.backend, lock.defaults.wait-time] have no effect on the locker"
                                        + " 'deploy'")));
    }

    @Test
    void defaultsForTheLockersThatAChildAddsAreNotReported(CapturedOutput output) {
        parent.run(above -> parent.withParent(above)
                .withPropertyValues("lock.lockers.audit.wait-time=1s", "lock.defaults.ttl=40s")
                .run(context -> assertThat(output).doesNotContain("have no effect")));
    }

    @Test
    void aChildHasLockersOfItsOwn() {
        parent.run(above -> runner.withParent(above)
                .withPropertyValues("lock.lockers.audit.ttl=20s")
                .run(context -> {
                    LockerRegistry lockers = context.getBean(LockerRegistry.class);
                    assertThat(lockers.names()).containsExactly("audit", "default", "deploy");
                    assertThat(lockers.get("audit")).isSameAs(context.getBean("auditLocker"));
                    assertThat(lockers.get("deploy")).isSameAs(above.getBean("deployLocker"));
                    assertThat(lockers.status("audit").backend()).isEqualTo("memory");
                    assertThat(above.getBean(LockerRegistry.class).names()).containsExactly("default", "deploy");
                }));
    }

    @Test
    void aLockerThatAChildCreatesAtRunTimeIsItsOwnWhateverItsParentCreatesLater() {
        parent.run(above -> parent.withParent(above).run(context -> {
            Locker own = context.getBean(RuntimeLockers.class)
                    .create("tenant", settings -> settings.withNamespace("tenant-of-child"));
            above.getBean(RuntimeLockers.class).create("tenant");
            LockerRegistry lockers = context.getBean(LockerRegistry.class);
            assertThat(lockers.get("tenant").lockSpace()).isEqualTo(own.lockSpace());
            try (LockHandle handle = own.lock("key")) {
                assertThat(handle.isHeld()).isTrue();
                assertThat(lockers.status("tenant").held()).hasSize(1);
            }
        }));
    }

    @Test
    void aChildHasLockersOfItsOwnWhileLocksAreSwitchedOff() {
        ApplicationContextRunner off = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LockAutoConfiguration.class, LockDisabledAutoConfiguration.class))
                .withPropertyValues("lock.enabled=false", "lock.disabled-mode=run-unlocked");
        off.run(above -> off.withParent(above)
                .withPropertyValues("lock.lockers.audit.ttl=20s")
                .run(context -> assertThat(context.getBean(LockerRegistry.class).get("audit"))
                        .isSameAs(context.getBean("auditLocker"))));
    }

    /** The parent's store is no reason to meter or observe the lockers of the child, which have none. */
    @Test
    void locksAreSwitchedOffInAChildAlone() {
        ApplicationContextRunner observed = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LockAutoConfiguration.class,
                        LockDisabledAutoConfiguration.class,
                        LockMetricsAutoConfiguration.class,
                        LockObservationAutoConfiguration.class,
                        LockFlightRecorderAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory", "lock.disabled-mode=run-unlocked")
                .withBean(SimpleMeterRegistry.class)
                .withBean(ObservationRegistry.class, ObservationRegistry::create);
        observed.run(above -> {
            assertThat(above).hasSingleBean(MicrometerLockListener.class);
            observed.withParent(above).withPropertyValues("lock.enabled=false").run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(context.getBeansOfType(LockListener.class)).isEmpty();
            });
        });
    }

    @Test
    void theLockersOfAChildHaveMeters() {
        ApplicationContextRunner metered = runner.withConfiguration(
                        AutoConfigurations.of(LockMetricsAutoConfiguration.class))
                .withBean(SimpleMeterRegistry.class);
        metered.run(above -> metered.withParent(above)
                .withPropertyValues("lock.lockers.audit.ttl=20s")
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    try (LockHandle handle =
                            context.getBean("auditLocker", Locker.class).lock("key")) {
                        assertThat(handle.isHeld()).isTrue();
                        assertThat(meters.get("lock.held")
                                        .tag("locker", "audit")
                                        .gauge()
                                        .value())
                                .isEqualTo(1);
                    }
                    assertThat(meters.get("lock.hold")
                                    .tag("locker", "audit")
                                    .timer()
                                    .count())
                            .isEqualTo(1);
                }));
    }

    @Test
    void theActuatorOfAChildHasTheLockersAndStoresOfBothContexts() {
        ApplicationContextRunner actuator = runner.withConfiguration(AutoConfigurations.of(
                        LocksEndpointAutoConfiguration.class, LockHealthContributorAutoConfiguration.class))
                .withPropertyValues(
                        "lock.circuit-breaker.enabled=true", "management.endpoints.web.exposure.include=locks");
        LockBackend absent = mock(LockBackend.class, CALLS_REAL_METHODS);
        doReturn(CompletableFuture.failedFuture(new IllegalStateException("absent")))
                .when(absent)
                .inspect();
        actuator.withPropertyValues("lock.lockers.deploy.ttl=60s")
                .run(above -> actuator.withParent(above)
                        .withBean("other", LockBackend.class, () -> absent)
                        .withPropertyValues("lock.lockers.audit.backend=other")
                        .run(context -> {
                            LocksDescriptor locks =
                                    context.getBean(LocksEndpoint.class).locks();
                            assertThat(locks.lockers()).containsOnlyKeys("audit", "default", "deploy");
                            assertThat(locks.lockers().get("audit").circuitBreaker())
                                    .isNotNull();
                            assertThat(locks.lockers().get("deploy").circuitBreaker())
                                    .isNotNull();
                            assertThat(locks.stores()).containsOnlyKeys("memory", "other");
                            assertThat(context.getBean(LocksEndpointWebExtension.class)
                                            .list(SecurityContext.NONE, "audit", null, null)
                                            .getStatus())
                                    .isEqualTo(200);
                            assertThat(context.getBean("locksHealthIndicator", LockHealthIndicator.class)
                                            .health()
                                            .getStatus())
                                    .isEqualTo(Status.DOWN);
                            assertThat(above.getBean("locksHealthIndicator", LockHealthIndicator.class)
                                            .health()
                                            .getStatus())
                                    .isEqualTo(Status.UP);
                        }));
    }

    /** Each context may have a Redis of its own. */
    @Test
    void theFindingsOfAStoreAreThoseOfBothContextsThatHaveOneOfItsName() {
        ApplicationContextRunner actuator = runner.withConfiguration(
                        AutoConfigurations.of(LocksEndpointAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=locks");
        actuator.withBean("other", LockBackend.class, () -> storeWith("above"))
                .withPropertyValues("lock.lockers.deploy.backend=other")
                .run(above -> actuator.withParent(above)
                        .withBean("other", LockBackend.class, () -> storeWith("below"))
                        .withPropertyValues("lock.lockers.audit.backend=other")
                        .run(context -> assertThat(context.getBean(LocksEndpoint.class)
                                        .locks()
                                        .stores()
                                        .get("other")
                                        .findings())
                                .hasSize(2)
                                .anySatisfy(finding -> assertThat(finding).contains("above"))
                                .anySatisfy(finding -> assertThat(finding).contains("below"))));
    }

    private static LockBackend storeWith(String subject) {
        LockBackend store = mock(LockBackend.class, CALLS_REAL_METHODS);
        doReturn(CompletableFuture.completedFuture(
                        List.of(new SafetyFinding(subject, "is not as it should be", "Change it"))))
                .when(store)
                .inspect();
        return store;
    }

    @Test
    void lockersOfAParentStayWhenAChildIsClosed() {
        parent.run(above -> {
            parent.withParent(above)
                    .run(context -> context.getBean("deployLocker", Locker.class)
                            .lock("key")
                            .close());
            assertThat(above.getBean("deployLocker", Locker.class).tryLock("key"))
                    .isPresent();
        });
    }

    @Test
    void annotationsHaveThePlaceholdersOfTheirOwnContext() {
        named.withBean(Work.class)
                .withPropertyValues("app.locker=first")
                .run(above -> named.withParent(above)
                        .withBean(Work.class)
                        .withPropertyValues("app.locker=second")
                        .run(child -> {
                            assertThat(above.getBean(Work.class).locker()).isEqualTo("first");
                            assertThat(child.getBean(Work.class).locker()).isEqualTo("second");
                        }));
    }

    @Test
    void keysMayHaveATypeOfTheParent() {
        named.withUserConfiguration(KeyTypes.class)
                .withPropertyValues("app.locker=first")
                .run(above -> named.withParent(above)
                        .withBean(Work.class)
                        .withPropertyValues("app.locker=first")
                        .run(child -> assertThat(child.getBean(Work.class).keyOf(new Sku("4711")))
                                .isEqualTo("sku-4711")));
    }

    static class Work {

        @DistributedLock(key = "'a'", locker = "${app.locker}")
        public String locker() {
            return LockContext.current().orElseThrow().locker();
        }

        @DistributedLock(key = "#p0", locker = "${app.locker}")
        public String keyOf(Sku sku) {
            return LockContext.current().orElseThrow().key();
        }
    }

    /** A value without a text of its own. */
    static final class Sku {

        private final String number;

        Sku(String number) {
            this.number = number;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class KeyTypes {

        @Bean
        LockKeyType<Sku> skus() {
            return new LockKeyType<>(Sku.class, sku -> "sku-" + sku.number);
        }
    }

    private static final class ProxiedPlugin implements Runnable {

        @Override
        @DistributedLock("'plugin'")
        public void run() {}
    }

    public static class Plugin {

        @DistributedLock("'plugin'")
        public void run() {}
    }
}
