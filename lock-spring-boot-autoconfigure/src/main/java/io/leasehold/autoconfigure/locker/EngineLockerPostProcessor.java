package io.leasehold.autoconfigure.locker;

import io.leasehold.Locker;
import io.leasehold.aop.transaction.TransactionAwareLocker;
import io.leasehold.engine.LeaseLocker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Lets the lockers that the application creates with {@code LockEngine.locker} participate in transactions, if they are
 * beans of type {@link Locker}. A bean that is declared as {@link LeaseLocker} stays what it is, because its users need
 * that type; a warning reports it.
 */
public final class EngineLockerPostProcessor implements BeanPostProcessor {

    private static final Logger log = LoggerFactory.getLogger(EngineLockerPostProcessor.class);

    private final ConfigurableListableBeanFactory beans;

    public EngineLockerPostProcessor(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof LeaseLocker locker)) {
            return bean;
        }
        Locker participant = TransactionAwareLocker.of(locker);
        if (participant != locker && declaredType(beanName) == LeaseLocker.class) {
            log.warn(
                    "Locker bean '{}' is declared as LeaseLocker, and so does not participate in transactions: its locks end"
                            + " before the commit. Declare it as {}",
                    beanName,
                    Locker.class.getName());
            return bean;
        }
        return participant;
    }

    private @Nullable Class<?> declaredType(String beanName) {
        return beans.containsBeanDefinition(beanName)
                ? beans.getMergedBeanDefinition(beanName).getResolvableType().resolve()
                : null;
    }
}
