package io.leasehold.autoconfigure.locker;

import io.leasehold.Locker;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockerName;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.Environment;

/**
 * Rejects a bean that has the name of a configured locker's bean and is not a {@link Locker}. The configured locker
 * would otherwise be missing, and another one would be injected in its place.
 *
 * <p>Rejects also a configured locker without a bean. {@link LockersRegistrar} has defined one for each name, unless the
 * application was processed ahead of time with other names.
 *
 * <p>Gives the definitions that were generated ahead of time their qualifiers, which the generated code does not have.
 */
public final class LockerBeanNameCheck implements BeanFactoryPostProcessor {

    private final Environment environment;

    public LockerBeanNameCheck(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        qualify(LockerName.DEFAULT, beans);
        for (LockerName locker : LockerNames.configuredIn(environment)) {
            if (!beans.containsBean(locker.beanName())) {
                throw new LockConfigurationException(
                        locker.property().toString(),
                        null,
                        "names a locker that was not configured when the application was processed ahead of time, which"
                                + " fixes the names of lockers",
                        "Process the application again with this property, for example with the profile that sets it, or"
                                + " remove the property.");
            }
            Class<?> type = beans.getType(locker.beanName(), false);
            if (type != null && !Locker.class.isAssignableFrom(type)) {
                throw new LockConfigurationException(
                        locker.property().toString(),
                        null,
                        "has the bean '" + locker.beanName()
                                + "', and the application has a bean of that name that is a " + type.getName(),
                        "Rename the bean or the locker.");
            }
            qualify(locker, beans);
        }
    }

    private static void qualify(LockerName locker, ConfigurableListableBeanFactory beans) {
        if (beans.containsBeanDefinition(locker.beanName())
                && beans.getBeanDefinition(locker.beanName()) instanceof RootBeanDefinition definition
                && LockerFactory.BEAN.equals(definition.getFactoryBeanName())
                && definition.getQualifiedElement() == null) {
            LockersRegistrar.qualify(definition, locker);
        }
    }
}
