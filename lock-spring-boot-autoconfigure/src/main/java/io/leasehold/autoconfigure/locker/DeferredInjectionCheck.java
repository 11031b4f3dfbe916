package io.leasehold.autoconfigure.locker;

import io.leasehold.Locker;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Fails the start if an injection point that Spring resolves at its first use, with {@code @Lazy} or through an
 * {@code ObjectProvider}, has the name of a locker that does not exist. Spring itself fails the start for the others.
 */
public final class DeferredInjectionCheck implements SmartInitializingSingleton {

    private static final String SUFFIX = "Locker";

    private static final Set<Class<? extends Annotation>> WITHOUT_NAME = Set.of(Lazy.class, Autowired.class);

    private final ConfigurableListableBeanFactory beans;

    public DeferredInjectionCheck(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        String[] lockers = beans.getBeanNamesForType(Locker.class, true, false);
        if (lockers.length < 2 || Arrays.stream(lockers).anyMatch(this::isPrimaryOrFallback)) {
            return;
        }
        for (String user : beans.getBeanDefinitionNames()) {
            BeanDefinition definition = beans.getMergedBeanDefinition(user);
            Class<?> type = beans.getType(user, false);
            if (type != null && definition instanceof RootBeanDefinition root && isOfApplication(root, type)) {
                check(user, root.getResolvedFactoryMethod(), ClassUtils.getUserClass(type), lockers);
            }
        }
    }

    /** A primary bean, or all that are no fallback, may be what any name stands for. */
    private boolean isPrimaryOrFallback(String locker) {
        if (!beans.containsBeanDefinition(locker)) {
            return false;
        }
        BeanDefinition definition = beans.getMergedBeanDefinition(locker);
        return definition.isPrimary() || definition.isFallback();
    }

    private static boolean isOfApplication(BeanDefinition definition, Class<?> type) {
        return definition.getRole() == BeanDefinition.ROLE_APPLICATION
                && !type.getName().startsWith("org.springframework.");
    }

    private void check(String user, @Nullable Method factory, Class<?> type, String[] lockers) {
        Executable[] creators = factory != null ? new Executable[] {factory} : type.getDeclaredConstructors();
        for (Executable creator : creators) {
            for (Parameter parameter : creator.getParameters()) {
                if (parameter.isNamePresent()
                        && isDeferred(parameter, parameter.getType(), parameter.getParameterizedType())
                        && namesNoLocker(parameter.getName())) {
                    MethodParameter point = MethodParameter.forParameter(parameter);
                    point.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
                    throw failure(user, new InjectionPoint(point), lockers);
                }
            }
        }
        for (Field field : factory != null ? new Field[0] : type.getDeclaredFields()) {
            if (field.isAnnotationPresent(Autowired.class)
                    && isDeferred(field, field.getType(), field.getGenericType())
                    && namesNoLocker(field.getName())) {
                throw failure(user, new InjectionPoint(field), lockers);
            }
        }
    }

    /** Other annotations may be qualifiers, so that the name has no meaning. */
    private static boolean isDeferred(AnnotatedElement point, Class<?> type, Type genericType) {
        boolean isLazy = type == Locker.class && point.isAnnotationPresent(Lazy.class);
        boolean isProvider = ObjectFactory.class.isAssignableFrom(type)
                && ResolvableType.forType(genericType).getGeneric().resolve() == Locker.class;
        return (isLazy || isProvider)
                && Arrays.stream(point.getAnnotations())
                        .allMatch(annotation -> WITHOUT_NAME.contains(annotation.annotationType()));
    }

    private boolean namesNoLocker(String name) {
        return name.endsWith(SUFFIX) && !beans.containsBean(name);
    }

    private static UnsatisfiedDependencyException failure(String user, InjectionPoint point, String[] lockers) {
        return new UnsatisfiedDependencyException(
                null, user, point, new NoUniqueBeanDefinitionException(Locker.class, lockers));
    }
}
