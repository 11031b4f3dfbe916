package io.leasehold.autoconfigure;

import io.leasehold.aop.transaction.Ancestors;
import io.leasehold.aop.validation.UninterceptedMethodCheck;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * Fails the start of a context whose parent has annotated methods and no aspect of its own, as that of services which
 * several applications share. The proxies of the child do not reach the beans of its parents.
 */
final class ParentContextCheck implements BeanFactoryPostProcessor {

    private static final UninterceptedMethodCheck PROXIED = new UninterceptedMethodCheck(
            "its bean is part of a parent context without LockAspectAutoConfiguration, so that the method would run"
                    + " without its lock",
            "Add @ImportAutoConfiguration({LockAutoConfiguration.class, LockAspectAutoConfiguration.class}) to a"
                    + " configuration of the parent context, or move the bean to the child context");

    private static final UninterceptedMethodCheck WOVEN = UninterceptedMethodCheck.ofWeaving(
            "its bean is part of a parent context, and AspectJ has not woven its class, or does not see the annotation,"
                    + " so that the method would run without its lock",
            "Include the class in the weaver of META-INF/aop.xml, put the annotation on the method itself, or let proxies"
                    + " do the work (lock.aspect.mode=proxy)");

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        requireNone(beans, PROXIED);
    }

    /** The same where AspectJ intercepts calls, which then reaches the beans of all contexts if it wove their classes. */
    static void requireWoven(ConfigurableListableBeanFactory beans) {
        requireNone(beans, WOVEN);
    }

    private static void requireNone(ConfigurableListableBeanFactory beans, UninterceptedMethodCheck check) {
        for (ConfigurableListableBeanFactory ancestor : Ancestors.of(beans)) {
            if (!LockedMethodCheckAutoConfiguration.isValidated(ancestor) && !isSwitchedOff(ancestor)) {
                check.requireNone(ancestor);
            }
        }
    }

    private static boolean isSwitchedOff(ConfigurableListableBeanFactory ancestor) {
        return ancestor.getSingleton(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME)
                        instanceof Environment environment
                && !environment.getProperty(ConditionalOnSwitch.ASPECT_ENABLED, Boolean.class, true);
    }
}
