package io.leasehold.autoconfigure;

import io.leasehold.aop.validation.DistributedLockValidator;
import io.leasehold.aop.validation.UninterceptedMethodCheck;
import io.leasehold.autoconfigure.ConditionalOnSwitch.OnSwitch;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Fails the start of an application that has annotated methods and excludes what intercepts them. The configurations of
 * lockers import this one, so that it is also present where an application names them, as in a test of a slice.
 */
@AutoConfiguration
@ConditionalOnSwitch(ConditionalOnSwitch.ASPECT_ENABLED)
public final class LockedMethodCheckAutoConfiguration {

    @Bean
    static BeanFactoryPostProcessor leaseholdLockedMethodCheck(Environment environment) {
        return beans -> {
            OnSwitch.requireAsProcessed(environment, ConditionalOnSwitch.ASPECT_ENABLED, true);
            if (!isValidated(beans)) {
                beans.addBeanPostProcessor(new UninterceptedMethodCheck(
                        "LockAspectAutoConfiguration is not part of this application context, so that the method would"
                                + " run without its lock",
                        "See that neither it nor LockAutoConfiguration is excluded; in a test of a slice, put"
                                + " @AutoConfigureTestLocks of lock-spring-boot-starter-test on the class. To run annotated"
                                + " methods without locks, set 'lock.aspect.enabled' to false"));
            }
        };
    }

    /** The validator is also looked for by type, for applications that wire the aspect by hand. */
    static boolean isValidated(ListableBeanFactory beans) {
        return beans.containsBeanDefinition(DistributedLockValidator.BEAN_NAME)
                || beans.getBeanNamesForType(DistributedLockValidator.class, true, false).length > 0;
    }
}
