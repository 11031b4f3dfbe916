package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.locker.RuntimeLockers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.Ordered;

/** A test that mocks a locker, and calls an annotated method. */
class MockedLockerTests {

    private static final String ADVICE = "In a test, put @AutoConfigureTestLocks on the class instead of mocking ";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory")
            .withBean(Service.class);

    @Test
    void theMessageNamesTheLockerAndTheTestKit() {
        Locker locker = mock(Locker.class);
        given(locker.name()).willReturn("default");
        assertFailure(
                runner.withBean("defaultLocker", Locker.class, () -> locker),
                "Locker 'default' is a mock that has no answer to visibleKey(\"7\"). " + ADVICE + "the locker");
    }

    @Test
    void theMessageNamesTheAnswerThatALockerLacks() {
        Locker locker = mocked();
        assertFailure(
                runner.withBean("defaultLocker", Locker.class, () -> locker),
                "Locker 'default' is a mock that has no answer to withoutTransactions(). " + ADVICE + "the locker");
        given(locker.withoutTransactions()).willReturn(locker);
        assertFailure(
                runner.withBean("defaultLocker", Locker.class, () -> locker),
                "Locker 'default' is a mock that has no answer to withoutKeyCustomizers(). " + ADVICE + "the locker");
    }

    @Test
    void theMessageNamesTheRegistry() {
        assertFailure(
                runner.withBean("registry", LockerRegistry.class, () -> mock(LockerRegistry.class)),
                "The LockerRegistry is a mock that has no answer to get(\"default\"). " + ADVICE + "the registry");
    }

    /** As {@code @MockitoBean} replaces the bean. */
    @ParameterizedTest
    @ValueSource(strings = {"lock.enabled=true", "lock.enabled=false"})
    void anApplicationStartsWhoseTestMocksTheLockersOfRunTime(String enabled) {
        runner.withConfiguration(AutoConfigurations.of(LockDisabledAutoConfiguration.class))
                .withAllowBeanDefinitionOverriding(true)
                .withPropertyValues(enabled, "lock.disabled-mode=fail")
                .withInitializer(context -> context.addBeanFactoryPostProcessor(new RuntimeLockersMock()))
                .run(context -> assertThat(context.getBean(LockerRegistry.class).names())
                        .containsExactly("default"));
    }

    @Test
    void anApplicationWithMetersStartsWhoseTestMocksTheRegistry() {
        LockerRegistry registry = mock(LockerRegistry.class);
        given(registry.names()).willReturn(Set.of("deploy"));
        runner.withConfiguration(AutoConfigurations.of(LockMetricsAutoConfiguration.class))
                .withPropertyValues("lock.lockers.deploy.ttl=30s")
                .withBean(SimpleMeterRegistry.class)
                .withBean("registry", LockerRegistry.class, () -> registry)
                .run(context -> {
                    context.getBean("deployLocker", Locker.class).lock("7").close();
                    assertThat(context.getBean(SimpleMeterRegistry.class).getMeters())
                            .isEmpty();
                });
    }

    private static void assertFailure(ApplicationContextRunner runner, String message) {
        runner.run(context -> assertThatIllegalStateException()
                .isThrownBy(() -> context.getBean(Service.class).run("7"))
                .withMessage(message));
    }

    private static Locker mocked() {
        Locker locker = mock(Locker.class);
        given(locker.name()).willReturn("default");
        given(locker.visibleKey("7")).willReturn("7");
        return locker;
    }

    /** Replaces the definition of the bean, before singletons are created. */
    private static final class RuntimeLockersMock implements BeanFactoryPostProcessor, Ordered {

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
            String[] names = beans.getBeanNamesForType(RuntimeLockers.class, true, false);
            assertThat(names).hasSize(1);
            ((BeanDefinitionRegistry) beans)
                    .registerBeanDefinition(
                            names[0], new RootBeanDefinition(RuntimeLockers.class, () -> mock(RuntimeLockers.class)));
        }

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }
    }

    static class Service {

        @DistributedLock("#key")
        public String run(String key) {
            return key;
        }
    }
}
