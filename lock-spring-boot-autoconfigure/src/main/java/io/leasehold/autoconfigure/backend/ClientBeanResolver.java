package io.leasehold.autoconfigure.backend;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;

/**
 * Finds the application's bean through which a store is reached, and ensures that it is destroyed only after the store
 * is closed.
 */
public record ClientBeanResolver(ConfigurableListableBeanFactory beans) {

    public static final String LOCK_BACKENDS = "leaseholdBackends";

    /**
     * Finds a bean.
     *
     * @param name its name, {@code null} for the only or primary one
     * @param property the property that contains the name
     * @throws LockConfigurationException if there is no bean of that name, or if there are several and no name
     */
    public <T> T get(Class<T> type, @Nullable String name, String property) {
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
                    "must be set, since there are several beans of type " + type.getSimpleName() + ": " + known(type),
                    "Set it to one of these names, or mark one of the beans as @Primary.");
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
            throw new LockConfigurationException(
                    property,
                    name,
                    "must be the name of a bean of type " + type.getSimpleName() + ", one of " + known(type),
                    "Correct the name, or define such a bean.");
        }
    }

    private String known(Class<?> type) {
        return Arrays.toString(beans.getBeanNamesForType(type, true, false));
    }
}
