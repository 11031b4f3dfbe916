package io.leasehold.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.test.TestLocks;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The annotation in production code. */
class MisusedAnnotationTests {

    @Test
    void anApplicationWithTheAnnotationDoesNotStart() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new SpringApplicationBuilder(Production.class)
                        .web(WebApplicationType.NONE)
                        .properties("lock.backend=memory")
                        .run()
                        .close())
                .withMessageContaining("@AutoConfigureTestLocks is on " + Production.class.getName())
                .withMessageContaining("annotate the test class")
                .withMessageContaining("scope 'test'");
    }

    @Test
    void anApplicationThatImportsTheConfigurationDoesNotStart() {
        new ApplicationContextRunner()
                .withUserConfiguration(Imports.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasMessageContaining("is imported by a class that is not a test class"));
    }

    /** As in a profile for tests that switches the locks off. */
    @Test
    void aTestWhoseLocksAreSwitchedOffDoesNotStart() {
        new ApplicationContextRunner()
                .withInitializer(context -> ((BeanDefinitionRegistry) context.getBeanFactory())
                        .registerBeanDefinition(
                                TestLocksContextCustomizer.MARKER, new RootBeanDefinition(Object.class)))
                .withUserConfiguration(Imports.class)
                .withPropertyValues("lock.enabled=false", "lock.disabled-mode=run-unlocked")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessage(
                                "'lock.enabled' must be true in a test with @AutoConfigureTestLocks, whose locks would"
                                        + " not be used: 'false'"));
    }

    @Test
    void theKitIsHarmlessOnTheClassPathOfAnApplication() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(TestLocks.class));
    }

    @AutoConfigureTestLocks
    static class Production {}

    @ImportAutoConfiguration(TestLocksAutoConfiguration.class)
    static class Imports {}
}
