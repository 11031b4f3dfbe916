package io.leasehold.aop.validation;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Beans with which a test replaces others. They are not validated. */
final class TestDoubles {

    private static final @Nullable Class<?> MOCKITO =
            ClassUtils.isPresent("org.mockito.Mockito", TestDoubles.class.getClassLoader())
                    ? ClassUtils.resolveClassName("org.mockito.Mockito", TestDoubles.class.getClassLoader())
                    : null;

    private static final String OVERRIDES =
            "org.springframework.test.context.bean.override.internalBeanOverrideRegistry";

    private TestDoubles() {}

    /** Whether a test replaces beans of this factory, with {@code @TestBean} for example. */
    static boolean mayReplace(ConfigurableListableBeanFactory beanFactory) {
        return beanFactory.containsSingleton(OVERRIDES);
    }

    static boolean isMock(Object bean) {
        if (MOCKITO == null || !isInUse(MOCKITO)) {
            return false;
        }
        Method mockingDetails = ClassUtils.getMethod(MOCKITO, "mockingDetails", Object.class);
        Method isMock = ClassUtils.getMethod(mockingDetails.getReturnType(), "isMock");
        Object details = ReflectionUtils.invokeMethod(mockingDetails, null, bean);
        return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(isMock, details));
    }

    /**
     * Whether Mockito's implementation is loaded. Before that there are no mocks, and asking for them would start
     * Mockito with its agent, which takes longer than the start of the locks.
     */
    private static boolean isInUse(Class<?> mockito) {
        ClassLoader loader = mockito.getClassLoader();
        return loader != null && loader.getDefinedPackage("org.mockito.internal") != null;
    }
}
