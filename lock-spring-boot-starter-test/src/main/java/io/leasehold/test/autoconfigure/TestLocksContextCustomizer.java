package io.leasehold.test.autoconfigure;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Marks the contexts of tests whose class has {@link AutoConfigureTestLocks}. */
record TestLocksContextCustomizer() implements ContextCustomizer {

    static final String MARKER = "leaseholdTestContextMarker";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        if (context.getBeanFactory() instanceof BeanDefinitionRegistry registry) {
            registry.registerBeanDefinition(MARKER, new RootBeanDefinition(Marker.class));
        }
    }

    /** The bean without content that marks a context. */
    static final class Marker {}

    /** Finds the annotation on the test class, its superclasses and its enclosing classes. */
    static final class Factory implements ContextCustomizerFactory {

        @Override
        public @Nullable ContextCustomizer createContextCustomizer(
                Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
            return TestContextAnnotationUtils.hasAnnotation(testClass, AutoConfigureTestLocks.class)
                    ? new TestLocksContextCustomizer()
                    : null;
        }
    }
}
