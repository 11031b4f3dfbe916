package io.leasehold.autoconfigure.locker;

import io.leasehold.Locker;
import io.leasehold.autoconfigure.property.LockerName;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.InstanceSupplier;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Looks for injection points with the name of a locker that is not configured, or is not the one that they get. If several
 * lockers are configured, Spring fails the start for those without a locker.
 *
 * <ol>
 *   <li>With {@code @Lazy} or an {@code ObjectProvider}, Spring would fail at the first use. The start fails as for the
 *       others.
 *   <li>If one of the lockers is primary, Spring injects it also where the name of another one is. A warning is logged.
 *   <li>If {@code default} is the only locker, any name means {@code default}. The configuration of a named one may be
 *       missing, such as that of a profile, so a warning is logged.
 * </ol>
 */
public final class InjectedNameCheck implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(InjectedNameCheck.class);

    private static final Set<String> NAMES_OF_DEFAULT = Set.of("locker", "Locker", LockerName.DEFAULT.beanName());

    private static final Set<Class<? extends Annotation>> WITHOUT_NAME = Set.of(Lazy.class, Autowired.class);

    private final ConfigurableListableBeanFactory beans;

    public InjectedNameCheck(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Set<String> warned = new HashSet<>();
        forEachPoint(beans.getDependentBeans(LockerName.DEFAULT.beanName()), this::namesNoLocker, (user, point) -> {
            if (point.type().resolve() == Locker.class && warned.add(user + " " + point.name())) {
                warn(point.name(), user);
            }
        });
        String[] lockers = beans.getBeanNamesForType(Locker.class, true, false);
        warnOfPrimary(List.of(lockers));
        List<String> candidates =
                Arrays.stream(lockers).filter(this::isCandidate).toList();
        if (candidates.size() > 1 && candidates.stream().noneMatch(this::isPrimaryOrFallback)) {
            forEachPoint(beans.getBeanDefinitionNames(), this::namesNoLocker, (user, point) -> {
                if (point.isDeferred()) {
                    throw new UnsatisfiedDependencyException(
                            null,
                            user,
                            point.injection().get(),
                            new NoUniqueBeanDefinitionException(Locker.class, candidates));
                }
            });
        }
    }

    /** Warns of injection points that are called like a locker, but get the primary one. */
    private void warnOfPrimary(List<String> lockers) {
        for (String primary : lockers) {
            if (beans.containsBeanDefinition(primary)
                    && beans.getMergedBeanDefinition(primary).isPrimary()) {
                forEachPoint(
                        beans.getBeanDefinitionNames(),
                        name -> lockers.contains(name) && !name.equals(primary),
                        (user, point) -> {
                            // the primary locker itself may be made from the other one
                            if (point.isByName() && !user.equals(primary)) {
                                log.warn(
                                        "'{}' of bean '{}' is the primary locker '{}', since Spring prefers a primary bean"
                                                + " to the bean of that name. If the other one is meant, add"
                                                + " @Qualifier(\"{}\")",
                                        point.name(),
                                        user,
                                        primary,
                                        point.name());
                            }
                        });
            }
        }
    }

    /** One that is primary, or the only one that is no fallback, is meant by any name. */
    private boolean isPrimaryOrFallback(String locker) {
        if (!beans.containsBeanDefinition(locker)) {
            return false;
        }
        BeanDefinition definition = beans.getMergedBeanDefinition(locker);
        return definition.isPrimary() || definition.isFallback();
    }

    private boolean isCandidate(String locker) {
        return !beans.containsBeanDefinition(locker)
                || !(beans.getMergedBeanDefinition(locker) instanceof AbstractBeanDefinition definition)
                || definition.isAutowireCandidate() && definition.isDefaultCandidate();
    }

    private void forEachPoint(String[] users, Predicate<String> name, BiConsumer<String, Point> action) {
        for (String user : users) {
            BeanDefinition definition = beans.containsBeanDefinition(user) ? beans.getMergedBeanDefinition(user) : null;
            Class<?> type = beans.getType(user, false);
            if (definition instanceof RootBeanDefinition root
                    && root.getRole() == BeanDefinition.ROLE_APPLICATION
                    && type != null
                    && !type.getName().startsWith("org.springframework.")) {
                points(root, ClassUtils.getUserClass(type))
                        .filter(point -> name.test(point.name()))
                        .forEach(point -> action.accept(user, point));
            }
        }
    }

    private boolean namesNoLocker(String name) {
        return name.endsWith("Locker") && !NAMES_OF_DEFAULT.contains(name) && !beans.containsBean(name);
    }

    private static void warn(String name, String user) {
        log.warn(
                "'{}' of bean '{}' is the locker 'default', since no other locker is configured. If its configuration is"
                        + " missing, add 'lock.lockers.{}', or see that its file and profile are used. If 'default' is meant,"
                        + " call it 'locker'",
                name,
                user,
                LockerName.ofBean(name));
    }

    /** The parameters and annotated fields of a bean. */
    private static Stream<Point> points(RootBeanDefinition definition, Class<?> type) {
        Stream.Builder<Point> fields = Stream.builder();
        ReflectionUtils.doWithFields(
                type,
                field -> fields.add(new Point(
                        field, field.getName(), ResolvableType.forField(field), () -> new InjectionPoint(field))),
                field -> field.getAnnotations().length > 0);
        return Stream.concat(
                creators(definition, type)
                        .flatMap(creator -> Arrays.stream(creator.getParameters()))
                        .filter(Parameter::isNamePresent)
                        .map(Point::of),
                fields.build());
    }

    /** The methods or constructors that the container may call, by the rules of Spring's autowiring. */
    private static Stream<? extends Executable> creators(RootBeanDefinition definition, Class<?> type) {
        Method factory = definition.getResolvedFactoryMethod();
        Supplier<?> supplier = definition.getInstanceSupplier();
        if (factory != null) {
            return Stream.of(factory);
        }
        // a supplier that AOT has generated calls a constructor, and one of the application calls what it wants
        if (supplier != null && !(supplier instanceof InstanceSupplier)) {
            return Stream.empty();
        }
        Constructor<?>[] all = type.getDeclaredConstructors();
        if (all.length == 1) {
            return Stream.of(all);
        }
        List<Constructor<?>> annotated = Arrays.stream(all)
                .filter(each -> each.isAnnotationPresent(Autowired.class))
                .toList();
        return annotated.isEmpty() ? Stream.ofNullable(BeanUtils.findPrimaryConstructor(type)) : annotated.stream();
    }

    private record Point(
            AnnotatedElement element, String name, ResolvableType type, Supplier<InjectionPoint> injection) {

        static Point of(Parameter parameter) {
            return new Point(
                    parameter, parameter.getName(), ResolvableType.forType(parameter.getParameterizedType()), () -> {
                        MethodParameter point = MethodParameter.forParameter(parameter);
                        point.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
                        return new InjectionPoint(point);
                    });
        }

        /** Whether Spring resolves it by its name, at its first use. Other annotations may be qualifiers. */
        boolean isDeferred() {
            return (isProvider() || element.isAnnotationPresent(Lazy.class)) && isByName();
        }

        private boolean isProvider() {
            return ObjectFactory.class.isAssignableFrom(type.resolve(Object.class))
                    && type.getGeneric().resolve() == Locker.class;
        }

        /** Whether Spring may resolve it by its name. */
        boolean isByName() {
            return (isProvider() || type.resolve() == Locker.class)
                    && Arrays.stream(element.getAnnotations())
                            .allMatch(annotation -> WITHOUT_NAME.contains(annotation.annotationType()));
        }
    }
}
