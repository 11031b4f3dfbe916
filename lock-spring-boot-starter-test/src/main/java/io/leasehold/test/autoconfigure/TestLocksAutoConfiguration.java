package io.leasehold.test.autoconfigure;

import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.backend.LockBackendFactory;
import io.leasehold.autoconfigure.locker.LockEngineFactory;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.spi.LockBackend;
import io.leasehold.test.TestLocks;
import java.util.Arrays;
import java.util.List;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** The store and the clock of a test, in place of those of the application. */
@AutoConfiguration(before = LockAutoConfiguration.class)
@Import(TestLocksAutoConfiguration.TestContextCheck.class)
public final class TestLocksAutoConfiguration {

    private static final String ENABLED = "lock.enabled";

    /** Without lockers nothing uses these locks, and a slice of a test has no aspect either. */
    @Bean
    static BeanFactoryPostProcessor leaseholdTestSwitchCheck(Environment environment) {
        return beans -> {
            if (!Binder.get(environment).bind(ENABLED, Boolean.class).orElse(true)) {
                throw new LockConfigurationException(
                        ENABLED,
                        environment.getProperty(ENABLED),
                        "must be true in a test with @AutoConfigureTestLocks, whose locks would not be used",
                        "Set it to true in this test, or remove the annotation.");
            }
        };
    }

    /**
     * That of a parent context is also the one of its children, whose lockers are those of the parent. Not closed with
     * the context: its engine is a bean, which ends first and is closed by then.
     */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    TestLocks testLocks() {
        return TestLocks.create();
    }

    @Bean
    LockEngineFactory leaseholdTestEngineFactory(TestLocks locks) {
        return locks::engine;
    }

    @Bean
    LockBackendFactory leaseholdTestBackendFactory(TestLocks locks) {
        return new TestBackendFactory(locks);
    }

    private record TestBackendFactory(TestLocks locks) implements LockBackendFactory {

        @Override
        public String backend() {
            return TestLocks.BACKEND;
        }

        @Override
        public boolean replacesOthers() {
            return true;
        }

        @Override
        public boolean hasConnections() {
            return false;
        }

        @Override
        public String setBy() {
            return "'@AutoConfigureTestLocks'";
        }

        @Override
        public LockBackend create() {
            return locks.backend();
        }
    }

    /**
     * Fails the start of an application that locks in the memory of its tests. The context of a test whose class has
     * the annotation contains a marker.
     */
    static final class TestContextCheck implements ImportBeanDefinitionRegistrar {

        @Override
        public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
            if (registry.containsBeanDefinition(TestLocksContextCustomizer.MARKER)) {
                return;
            }
            List<String> annotated = Arrays.stream(registry.getBeanDefinitionNames())
                    .map(registry::getBeanDefinition)
                    .filter(AnnotatedBeanDefinition.class::isInstance)
                    .map(definition -> ((AnnotatedBeanDefinition) definition).getMetadata())
                    .filter(type -> type.isAnnotated(AutoConfigureTestLocks.class.getName()))
                    .map(AnnotationMetadata::getClassName)
                    .toList();
            throw new IllegalStateException("@AutoConfigureTestLocks "
                    + (annotated.isEmpty() ? "is imported by a class" : "is on " + String.join(", ", annotated))
                    + " that is not a test class. Its locks would exclude no other process."
                    + " Remove it there, annotate the test class, and give the dependency on"
                    + " 'lock-spring-boot-starter-test' the scope 'test'.");
        }
    }
}
