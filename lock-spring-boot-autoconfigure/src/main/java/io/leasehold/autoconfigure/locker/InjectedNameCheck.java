package io.leasehold.autoconfigure.locker;

import io.leasehold.Locker;
import io.leasehold.autoconfigure.property.LockerName;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Warns of injection points that have the name of a locker that is not configured, and get {@code default}. If other
 * lockers are configured, such an injection point fails the start. As long as {@code default} is the only one, any name
 * means {@code default}; but the configuration of a named one may be missing, such as that of a profile.
 */
public final class InjectedNameCheck implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(InjectedNameCheck.class);

    private static final Set<String> NAMES_OF_DEFAULT = Set.of("locker", "Locker", LockerName.DEFAULT.beanName());

    private final ConfigurableListableBeanFactory beans;

    public InjectedNameCheck(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String user : beans.getDependentBeans(LockerName.DEFAULT.beanName())) {
            BeanDefinition definition = beans.containsBeanDefinition(user) ? beans.getMergedBeanDefinition(user) : null;
            Class<?> type = beans.getType(user, false);
            if (definition instanceof RootBeanDefinition root && type != null) {
                injected(root.getResolvedFactoryMethod(), ClassUtils.getUserClass(type))
                        .filter(name -> name.endsWith("Locker") && !NAMES_OF_DEFAULT.contains(name))
                        .filter(name -> !beans.containsBean(name))
                        .distinct()
                        .forEach(name -> warn(name, user));
            }
        }
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

    /** The names of parameters and annotated fields through which the bean receives lockers. */
    private static Stream<String> injected(@Nullable Method factory, Class<?> type) {
        Stream<? extends Executable> creators =
                factory != null ? Stream.of(factory) : Arrays.stream(type.getDeclaredConstructors());
        Stream<String> parameters = creators.flatMap(creator -> Arrays.stream(creator.getParameters()))
                .filter(parameter -> parameter.getType() == Locker.class && parameter.isNamePresent())
                .map(Parameter::getName);
        Stream.Builder<String> fields = Stream.builder();
        ReflectionUtils.doWithFields(
                type,
                field -> fields.add(field.getName()),
                field -> field.getType() == Locker.class && field.getAnnotations().length > 0);
        return Stream.concat(parameters, fields.build());
    }
}
