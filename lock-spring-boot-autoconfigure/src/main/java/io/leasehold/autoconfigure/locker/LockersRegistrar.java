package io.leasehold.autoconfigure.locker;

import io.leasehold.Locker;
import io.leasehold.autoconfigure.property.LockerName;
import java.util.SortedSet;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Defines one {@link Locker} bean for each entry of {@code lock.lockers}, with the entry's name as qualifier, unless
 * the application has defined a bean of that name itself, or a parent context has that locker.
 *
 * <p>The definitions name a factory method, so that ahead-of-time processing can generate code for them. The set of
 * lockers is then fixed at build time; their settings are still read at run time.
 *
 * <p>No locker has priority, not even {@code default}. If there are several, an injection point that names none of them
 * fails, because a fallback would silently lock in another namespace than the intended one.
 *
 * <p>A {@code default} locker that is not configured is created when it is first requested, so that an application
 * without any store starts as long as it uses no lock.
 */
public final class LockersRegistrar implements ImportBeanDefinitionRegistrar {

    private final Environment environment;

    public LockersRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
        SortedSet<LockerName> configured = LockerNames.configuredIn(environment);
        for (LockerName name : configured) {
            register(name, definition(name), registry);
        }
        if (configured.stream().noneMatch(LockerName::isDefault)) {
            RootBeanDefinition definition = definition(LockerName.DEFAULT);
            definition.setLazyInit(true);
            register(LockerName.DEFAULT, definition, registry);
        }
    }

    private static void register(LockerName name, RootBeanDefinition definition, BeanDefinitionRegistry registry) {
        if (!registry.containsBeanDefinition(name.beanName()) && !isOfAnAncestor(name, registry)) {
            registry.registerBeanDefinition(name.beanName(), definition);
        }
    }

    /** Each name has one locker. A second one in another engine would not know the locks of the first. */
    private static boolean isOfAnAncestor(LockerName name, BeanDefinitionRegistry registry) {
        BeanFactory parent = registry instanceof HierarchicalBeanFactory beans ? beans.getParentBeanFactory() : null;
        return parent != null
                && parent.containsBean(name.beanName())
                && parent.isTypeMatch(name.beanName(), Locker.class);
    }

    private static RootBeanDefinition definition(LockerName name) {
        RootBeanDefinition definition = new RootBeanDefinition();
        definition.setTargetType(Locker.class);
        definition.setFactoryBeanName(LockerFactory.BEAN);
        definition.setFactoryMethodName("locker");
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name.value());
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name.value()));
        return definition;
    }
}
