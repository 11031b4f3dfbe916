package io.leasehold.aop.validation;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Beans with which a test replaces others. They are not validated. */
final class TestDoubles {

    private static final @Nullable Method MOCKING_DETAILS =
            mockito("org.mockito.Mockito", "mockingDetails", Object.class);

    private static final @Nullable Method IS_MOCK = mockito("org.mockito.MockingDetails", "isMock");

    private static final String OVERRIDES =
            "org.springframework.test.context.bean.override.internalBeanOverrideRegistry";

    private TestDoubles() {}

    /** Whether a test replaces beans of this factory, with {@code @TestBean} for example. */
    static boolean mayReplace(ConfigurableListableBeanFactory beanFactory) {
        return beanFactory.containsSingleton(OVERRIDES);
    }

    static boolean isMock(Object bean) {
        if (MOCKING_DETAILS == null || IS_MOCK == null || !isInUse(MOCKING_DETAILS.getDeclaringClass())) {
            return false;
        }
        Object details = ReflectionUtils.invokeMethod(MOCKING_DETAILS, null, bean);
        return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(IS_MOCK, details));
    }

    /**
     * Whether Mockito's implementation is loaded. Before that there are no mocks, and asking for them would start
     * Mockito with its agent, which takes longer than the start of the locks.
     */
    private static boolean isInUse(Class<?> mockito) {
        ClassLoader loader = mockito.getClassLoader();
        return loader != null && loader.getDefinedPackage("org.mockito.internal") != null;
    }

    private static @Nullable Method mockito(String className, String method, Class<?>... parameters) {
        ClassLoader loader = TestDoubles.class.getClassLoader();
        return ClassUtils.isPresent(className, loader)
                ? ClassUtils.getMethodIfAvailable(ClassUtils.resolveClassName(className, loader), method, parameters)
                : null;
    }
}
