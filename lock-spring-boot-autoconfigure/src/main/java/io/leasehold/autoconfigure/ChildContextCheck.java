package io.leasehold.autoconfigure;

import io.leasehold.aop.validation.DistributedLockValidator;
import io.leasehold.aop.validation.UninterceptedMethodCheck;
import io.leasehold.autoconfigure.property.LockProperties.Aspect.Mode;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Fails the start of a child context that has annotated methods and no aspect of its own. The proxies of the parent
 * context do not reach the beans of its children, so that these methods would run without their locks.
 */
final class ChildContextCheck implements ApplicationListener<ContextRefreshedEvent> {

    private static final UninterceptedMethodCheck PROXIED = new UninterceptedMethodCheck(
            "its bean is part of a child context without LockAspectAutoConfiguration, so that the method would run without"
                    + " its lock",
            "Add @ImportAutoConfiguration({LockAutoConfiguration.class, LockAspectAutoConfiguration.class}) to a"
                    + " configuration of the child context, or move the bean to the parent context");

    private static final UninterceptedMethodCheck WOVEN = UninterceptedMethodCheck.ofWeaving(
            "its bean is part of a child context, and AspectJ has not woven its class, or does not see the annotation,"
                    + " so that the method would run without its lock",
            "Include the class in the weaver of META-INF/aop.xml, put the annotation on the method itself, or let proxies"
                    + " do the work (lock.aspect.mode=proxy)");

    private final UninterceptedMethodCheck check;

    private final ApplicationContext parent;

    ChildContextCheck(Mode mode, ApplicationContext parent) {
        this.check = mode == Mode.ASPECTJ ? WOVEN : PROXIED;
        this.parent = parent;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        if (event.getApplicationContext() != parent
                && event.getApplicationContext() instanceof ConfigurableApplicationContext child
                && !child.getBeanFactory().containsBeanDefinition(DistributedLockValidator.BEAN_NAME)
                && child.getEnvironment().getProperty(ConditionalOnSwitch.ASPECT_ENABLED, Boolean.class, true)) {
            check.requireNone(child.getBeanFactory());
        }
    }

    /** Fails the refresh of the child in the thread that runs it, whatever the multicaster of the parent does. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }
}
