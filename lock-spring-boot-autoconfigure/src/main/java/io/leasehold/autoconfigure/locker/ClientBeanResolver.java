package io.leasehold.autoconfigure.locker;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;

/**
 * Finds the application's bean through which a store is reached, and sees to it that it is there until the store is
 * closed.
 *
 * @param beans where to look
 */
public record ClientBeanResolver(ConfigurableListableBeanFactory beans) {

    public static final String LOCK_BACKENDS = "leaseholdBackends";

    /**
     * Finds a bean.
     *
     * @param type its type
     * @param name its name, {@code null} if there is only one, or a primary one
     * @param property the property that says the name
     * @param <T> its type
     * @return the bean
     * @throws LockConfigurationException if there is none of that name, or several and none is named
     */
    public <T> T get(Class<T> type, @Nullable String name, String property) {
        String known = Arrays.toString(beans.getBeanNamesForType(type, true, false));
        try {
            String found = name;
            if (found == null) {
                NamedBeanHolder<T> holder = beans.resolveNamedBean(type);
                found = holder.getBeanName();
            }
            beans.registerDependentBean(found, LOCK_BACKENDS);
            return beans.getBean(found, type);
        } catch (NoUniqueBeanDefinitionException ex) {
            throw new LockConfigurationException(
                    property,
                    null,
                    "must be set, since there are several beans of type " + type.getSimpleName() + ": " + known,
                    "Set it to one of these names, or mark one of the beans as @Primary.");
        } catch (NoSuchBeanDefinitionException ex) {
            throw new LockConfigurationException(
                    property,
                    name,
                    "must be the name of a bean of type " + type.getSimpleName() + ", one of " + known,
                    "Correct the name, or define such a bean.");
        }
    }
}
