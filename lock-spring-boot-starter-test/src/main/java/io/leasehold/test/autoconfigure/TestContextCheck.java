package io.leasehold.test.autoconfigure;

import java.util.Arrays;
import java.util.List;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Fails the start of an application that locks in the memory of its tests. The context of a test whose class has the
 * annotation contains a marker.
 */
final class TestContextCheck implements ImportBeanDefinitionRegistrar {

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
