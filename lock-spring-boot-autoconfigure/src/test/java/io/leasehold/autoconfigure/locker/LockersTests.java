package io.leasehold.autoconfigure.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.engine.LockEngine;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Which lockers there are, and which of them is injected. */
@ExtendWith(OutputCaptureExtension.class)
class LockersTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory");

    @Test
    void aLockerNamedDefaultIsAlwaysThere() {
        runner.run(context -> {
            assertThat(context.getBean(Locker.class).name()).isEqualTo("default");
            assertThat(context.getBean(LockerRegistry.class).names()).containsExactly("default");
            assertThat(context.getBean(LockerRegistry.class).get("default")).isSameAs(context.getBean("defaultLocker"));
        });
    }

    /** Each call for the bean would otherwise leave another locker in the engine. */
    @Test
    void aLazyLockerWhoseObserverFailsIsClosed() {
        runner.run(context -> {
            context.getBean(LockerFactory.class)
                    .observe(
                            name -> {
                                throw new IllegalStateException("a meter of that name has other tags");
                            },
                            name -> {});
            LockerRegistry registry = context.getBean(LockerRegistry.class);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> registry.get("default")).hasRootCauseInstanceOf(IllegalStateException.class);
            }
            assertThat(context.getBean("leaseholdEngine", LockEngine.class).status())
                    .isEmpty();
        });
    }

    @Test
    void eachEntryIsALockerInItsOwnNamespace() {
        runner.withPropertyValues("lock.lockers.deploy.ttl=60s", "lock.lockers.billing.namespace=billing-eu")
                .run(context -> {
                    Locker deploy = context.getBean("deployLocker", Locker.class);
                    Locker billing = context.getBean("billingLocker", Locker.class);
                    try (LockHandle one = deploy.lock("key");
                            LockHandle other = billing.lock("key")) {
                        assertThat(one.isHeld()).isTrue();
                        assertThat(other.isHeld()).isTrue();
                        assertThat(deploy.tryLock("key")).isEmpty();
                    }
                });
    }

    @Test
    void twoLockersShareANamespaceIfTheyAreToldTo() {
        runner.withPropertyValues("lock.lockers.slow.namespace=jobs", "lock.lockers.fast.namespace=jobs")
                .run(context -> {
                    Locker slow = context.getBean("slowLocker", Locker.class);
                    try (LockHandle held = slow.lock("key")) {
                        assertThat(held.isHeld()).isTrue();
                        assertThat(context.getBean("fastLocker", Locker.class).tryLock("key"))
                                .isEmpty();
                    }
                });
    }

    @Test
    void anEntryNeedsNoSettings() {
        runner.withPropertyValues("lock.lockers.deploy=")
                .run(context -> assertThat(
                                context.getBean("deployLocker", Locker.class).name())
                        .isEqualTo("deploy"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"lock.lockers.deploy.ttl=-5s", "lock.lockers.deploy.tll=5s", "lock.lockers.deploy.backend=no"})
    void aBadSettingStopsTheStartAlsoOfLazyApplications(String setting) {
        runner.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withPropertyValues(setting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(LockConfigurationException.class)
                        .hasStackTraceContaining(setting.substring(0, setting.indexOf('='))));
    }

    @Test
    void injectionGoesByQualifierThenByName() {
        runner.withPropertyValues("lock.lockers.deploy.ttl=60s", "lock.lockers.billing.ttl=60s")
                .withUserConfiguration(Injected.class)
                .run(context -> {
                    Injected injected = context.getBean(Injected.class);
                    assertThat(injected.byQualifier.name()).isEqualTo("deploy");
                    assertThat(injected.byBeanName.name()).isEqualTo("deploy");
                    assertThat(injected.billingLocker.name()).isEqualTo("billing");
                    assertThat(injected.defaultLocker.name()).isEqualTo("default");
                    assertThat(injected.all).containsOnlyKeys("billingLocker", "defaultLocker", "deployLocker");
                });
    }

    @Test
    void withoutConfiguredLockersAnyNameMeansTheDefault() {
        runner.withUserConfiguration(Unnamed.class)
                .run(context ->
                        assertThat(context.getBean(Unnamed.class).any.name()).isEqualTo("default"));
    }

    @Test
    void theNameOfALockerThatIsNotConfiguredIsWarnedOf(CapturedOutput output) {
        runner.withBean("deployments", Named.class)
                .withUserConfiguration(NamedParameters.class)
                .run(context -> assertThat(
                                context.getBean(Named.class).deployLocker().name())
                        .isEqualTo("default"));
        assertThat(output)
                .contains("'deployLocker' of bean 'deployments' is the locker 'default'")
                .contains("'lock.lockers.deploy'")
                .contains("'billingLocker' of bean 'billing' is the locker 'default'")
                .contains("'stockLocker' of bean ");
    }

    @Test
    void aNamedInjectionPointThatGetsAPrimaryLockerIsWarnedOf(CapturedOutput output) {
        runner.withPropertyValues("lock.lockers.deploy.ttl=60s")
                .withUserConfiguration(OwnPrimaryLocker.class)
                .withBean("deployments", Named.class)
                .run(context -> assertThat(
                                context.getBean(Named.class).deployLocker().name())
                        .isEqualTo("special"));
        assertThat(output)
                .containsOnlyOnce("'deployLocker' of bean 'deployments' is the primary locker 'specialLocker'")
                .contains("@Qualifier(\"deployLocker\")");
    }

    @Test
    void otherInjectionPointsBesideAPrimaryLockerAreNotWarnedOf(CapturedOutput output) {
        runner.withPropertyValues("lock.lockers.deploy.ttl=60s")
                .withUserConfiguration(PrimaryDecorator.class)
                .withBean("any", Unnamed.class)
                .withBean("qualified", QualifiedByBean.class)
                .run(context -> {
                    assertThat(context.getBean(QualifiedByBean.class)
                                    .deployLocker()
                                    .name())
                            .isEqualTo("deploy");
                    assertThat(context.getBean("auditedLocker", Locker.class).name())
                            .isEqualTo("audited-deploy");
                });
        assertThat(output).doesNotContain("is the primary locker");
    }

    @Test
    void namesThatMeanTheDefaultOrABeanOfTheApplicationAreNotWarnedOf(CapturedOutput output) {
        runner.withBean("one", OfDefault.class)
                .withBean("ownLocker", Locker.class, () -> mock(Locker.class))
                .withBean("both", Both.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("is the locker 'default'");
    }

    @Test
    void theBeanOfANameWithACapitalBeginsWithASmallLetter() {
        runner.withPropertyValues("lock.lockers.Billing.ttl=60s").run(context -> {
            assertThat(context).hasBean("billingLocker");
            assertThat(context.getBean("billingLocker", Locker.class).name()).isEqualTo("Billing");
        });
    }

    @Test
    void theBeanOfAHyphenatedNameIsInCamelCase() {
        runner.withPropertyValues("lock.lockers.my-deploy.ttl=60s", "lock.lockers.my_other.ttl=60s")
                .run(context -> {
                    assertThat(context).hasBean("myDeployLocker").hasBean("myOtherLocker");
                    assertThat(context.getBean(LockerRegistry.class).get("my-deploy"))
                            .isSameAs(context.getBean("myDeployLocker"));
                });
    }

    @Test
    void theApplicationsOwnBeanOfThatNameWins() {
        runner.withPropertyValues("lock.lockers.deploy.ttl=60s", "lock.lockers.billing.ttl=60s")
                .withUserConfiguration(OwnDeployLocker.class)
                .run(context -> {
                    assertThat(context.getBean("deployLocker")).isInstanceOf(OwnLocker.class);
                    assertThat(context.getBean(LockerRegistry.class).get("deploy"))
                            .isInstanceOf(OwnLocker.class);
                    assertThat(context.getBean("billingLocker")).isNotInstanceOf(OwnLocker.class);
                });
    }

    @Test
    void aSecondBeanOfTheNameOfALockerIsRefused() {
        runner.withPropertyValues("lock.lockers.deploy.ttl=60s")
                .withUserConfiguration(DecoratorOfDeploy.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessage(
                                "'lock.lockers.deploy' is the locker of two beans, 'deploy' and 'deployLocker', since"
                                        + " the suffix 'Locker' does not count"));
    }

    @Test
    void aSecondBeanOfTheNameOfAnHyphenatedLockerIsRefused() {
        runner.withPropertyValues("lock.lockers.my-deploy.ttl=60s")
                .withBean("my-deploy", Locker.class, () -> new OwnLocker("own"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("'my-deploy' and 'myDeployLocker'"));
    }

    @Test
    void twoBeansOfTheApplicationWithOneNameOfALockerAreRefused() {
        runner.withBean("auditLocker", Locker.class, () -> new OwnLocker("one"))
                .withBean("audit", Locker.class, () -> new OwnLocker("other"))
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("'audit' and 'auditLocker'"));
    }

    @Test
    void anAliasOfTheBeanOfALockerIsNoSecondBean() {
        runner.withPropertyValues("lock.lockers.deploy.ttl=60s")
                .withUserConfiguration(AliasOfDeploy.class)
                .run(context -> assertThat(context.getBean(LockerRegistry.class).get("deploy"))
                        .isSameAs(context.getBean("deploy"))
                        .isInstanceOf(OwnLocker.class));
    }

    @Test
    void theApplicationsOwnPrimaryLockerIsInjectedInsteadOfTheDefault() {
        runner.withUserConfiguration(OwnPrimaryLocker.class)
                .run(context -> assertThat(context.getBean(Locker.class)).isInstanceOf(OwnLocker.class));
    }

    @Test
    void theRegistryKnowsTheApplicationsOwnLockers() {
        runner.withUserConfiguration(OwnPrimaryLocker.class).run(context -> {
            LockerRegistry registry = context.getBean(LockerRegistry.class);
            assertThat(registry.names()).containsExactly("default", "special");
            assertThat(registry.get("special")).isInstanceOf(OwnLocker.class);
            assertThat(registry.status("special").backend()).isEqualTo("none");
        });
    }

    @Test
    void anUnrelatedBeanMayHaveALockersName() {
        runner.withPropertyValues("lock.lockers.deploy.ttl=60s")
                .withBean("deploy", String.class, () -> "unrelated")
                .run(context -> assertThat(context).hasNotFailed().hasBean("deployLocker"));
    }

    @Test
    void laterConditionsSeeTheLockers() {
        runner.withConfiguration(AutoConfigurations.of(OnLocker.class))
                .run(context -> assertThat(context).hasBean("seen"));
    }

    @Test
    void anEnvironmentVariableSetsTheLockerWithAHyphen() {
        runner.withPropertyValues("lock.lockers.my-deploy.ttl=60s")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "systemEnvironment", Map.of("LOCK_LOCKERS_MYDEPLOY_NAMESPACE", "from-variable"))))
                .run(context -> {
                    assertThat(context.getBean(LockerRegistry.class).names()).containsExactly("default", "my-deploy");
                    assertThat(context.getBean(LockerConfigurations.class)
                                    .get("my-deploy")
                                    .settings()
                                    .namespace())
                            .isEqualTo("from-variable");
                });
    }

    @Test
    void theStatusOfALockerIsWhatItHolds() {
        runner.withPropertyValues("lock.lockers.deploy.ttl=60s").run(context -> {
            LockerRegistry registry = context.getBean(LockerRegistry.class);
            try (LockHandle handle = registry.get("deploy").lock("key")) {
                assertThat(registry.status("deploy").backend()).isEqualTo("memory");
                assertThat(registry.status("deploy").held())
                        .extracting(LockHandle::fencingToken)
                        .containsExactly(handle.fencingToken());
            }
            assertThat(registry.status("deploy").held()).isEmpty();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Injected {

        @Autowired
        @Qualifier("deploy")
        private Locker byQualifier;

        @Autowired
        @Qualifier("deployLocker")
        private Locker byBeanName;

        @Autowired
        private Locker billingLocker;

        @Autowired
        private Locker defaultLocker;

        @Autowired
        private Map<String, Locker> all;
    }

    record Named(Locker deployLocker) {}

    record OfDefault(Locker defaultLocker) {}

    record Both(Locker defaultLocker, Locker ownLocker) {}

    @Configuration(proxyBeanMethods = false)
    static class NamedParameters {

        @Autowired
        private Locker stockLocker;

        @Bean
        String billing(Locker billingLocker) {
            return billingLocker.name() + stockLocker.name();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Unnamed {

        @Autowired
        private Locker any;
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnDeployLocker {

        @Bean
        Locker deployLocker() {
            return new OwnLocker("deploy");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnPrimaryLocker {

        @Bean
        @Primary
        Locker specialLocker() {
            return new OwnLocker("special");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class DecoratorOfDeploy {

        @Bean
        Locker deploy(@Qualifier("deployLocker") Locker locker) {
            return new OwnLocker("audited-" + locker.name());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AliasOfDeploy {

        @Bean({"deployLocker", "deploy"})
        Locker locker() {
            return new OwnLocker("own");
        }
    }

    record QualifiedByBean(@Qualifier("deployLocker") Locker deployLocker) {}

    @Configuration(proxyBeanMethods = false)
    static class PrimaryDecorator {

        @Bean
        @Primary
        Locker auditedLocker(Locker deployLocker) {
            return new OwnLocker("audited-" + deployLocker.name());
        }
    }

    @AutoConfiguration(after = LockAutoConfiguration.class)
    static class OnLocker {

        @Bean
        @ConditionalOnBean(Locker.class)
        String seen() {
            return "seen";
        }
    }

    record OwnLocker(String name) implements Locker {

        @Override
        public Optional<LockHandle> tryLock(LockRequest request) {
            return Optional.empty();
        }

        @Override
        public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
    }

    @Test
    void namesThatAreResolvedLaterAreCheckedAtTheStart() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=30s")
                .withBean(Later.class)
                .run(context -> assertThat(context).hasNotFailed());
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=30s")
                .withBean(MisspeltField.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("depolyLocker")
                        .hasMessageContaining("deployLocker,defaultLocker"));
    }

    /** The container does not call them, so it injects nothing into their parameters. */
    @Test
    void constructorsThatTheContainerDoesNotCallAreNotChecked() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=30s")
                .withBean("annotated", SeveralConstructors.class)
                .withBean("unannotated", NoArguments.class)
                .withBean("supplied", Misspelt.class, () -> new Misspelt(null))
                .run(context -> assertThat(context).hasNotFailed());
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=30s")
                .withBean(Misspelt.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("lockersTests.Misspelt"));
    }

    /** Spring injects the only candidate, and the check of the injected lockers warns. */
    @Test
    void aLockerThatIsNoCandidateLeavesTheDefaultOneToOtherNames() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory")
                .withBean(
                        "auditLocker",
                        Locker.class,
                        () -> new OwnLocker("audit"),
                        definition -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false))
                .withBean(Misspelt.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class SeveralConstructors {

        @Autowired
        SeveralConstructors(ObjectProvider<Locker> deployLocker) {}

        SeveralConstructors(ObjectProvider<Locker> ofTestLocker, String name) {}
    }

    static class NoArguments {

        NoArguments() {}

        NoArguments(ObjectProvider<Locker> ofTestLocker) {}
    }

    record Misspelt(@Nullable ObjectProvider<Locker> depolyLocker) {}

    record Later(
            ObjectProvider<Locker> lockers,
            @Lazy Locker deployLocker,
            @Lazy @Qualifier("deploy") Locker anyLocker,
            @Qualifier("deploy") ObjectProvider<Locker> otherLocker) {}

    static class MisspeltField {

        @Autowired
        @Lazy
        @SuppressWarnings("unused")
        private Locker depolyLocker;
    }
}
