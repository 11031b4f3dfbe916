package io.leasehold.autoconfigure;

import io.leasehold.LockerRegistry;
import io.leasehold.annotation.LockKeyType;
import io.leasehold.aop.DistributedLockAdvisor;
import io.leasehold.aop.DistributedLockAspect;
import io.leasehold.aop.WovenDistributedLockAspect;
import io.leasehold.aop.order.LockAdviceOrder;
import io.leasehold.aop.spec.LockSpecs;
import io.leasehold.aop.validation.DistributedLockValidator;
import io.leasehold.autoconfigure.UnlockedMethodsConfiguration.WovenContext;
import io.leasehold.autoconfigure.locker.ApplicationTasks;
import io.leasehold.autoconfigure.locker.FirstLookup;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.property.LockProperties.Aspect.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.aspectj.lang.Aspects;
import org.aspectj.lang.NoAspectBoundException;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * The aspect and one of its two kinds of interception. Lockers are looked up by the first call, so that the aspect can
 * be created before the beans that it intercepts.
 */
@AutoConfiguration(
        after = {LockAutoConfiguration.class, LockDisabledAutoConfiguration.class, AopAutoConfiguration.class})
@ConditionalOnBean(LockerRegistry.class)
@ConditionalOnSwitch(ConditionalOnSwitch.ASPECT_ENABLED)
@EnableConfigurationProperties(LockProperties.Aspect.class)
@Import(CommitGuardConfiguration.class)
public final class LockAspectAutoConfiguration {

    static final String ASPECT_BEAN = "leaseholdAspect";

    /** Not those of a parent context, whose placeholders may have other values. */
    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockSpecs leaseholdLockSpecs(ConfigurableBeanFactory beans) {
        return new LockSpecs(text -> Objects.requireNonNullElse(beans.resolveEmbeddedValue(text), ""));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockAspect leaseholdAspect(
            LockSpecs specs,
            ObjectProvider<LockerRegistry> lockers,
            ListableBeanFactory beans,
            Environment environment) {
        return new DistributedLockAspect(
                specs,
                new FirstLookup<>(lockers::getObject),
                ApplicationTasks.context(beans, environment),
                new FirstLookup<>(() -> keyTypes(beans)));
    }

    @Bean
    static BeanFactoryPostProcessor leaseholdExecutorCheck(Environment environment) {
        return beans -> {
            String name = environment.getProperty(ApplicationTasks.EXECUTOR);
            if (name == null) {
                return;
            }
            List<String> executors =
                    List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Executor.class, true, false));
            if (!executors.contains(name)) {
                throw new LockConfigurationException(
                        ApplicationTasks.EXECUTOR,
                        name,
                        "must be the name of a bean of type Executor, one of " + executors,
                        "Correct the name, or define such a bean.");
            }
        };
    }

    private static List<LockKeyType<?>> keyTypes(ListableBeanFactory beans) {
        List<LockKeyType<?>> types = new ArrayList<>();
        beans.getBeanProvider(LockKeyType.class).orderedStream().forEach(types::add);
        return types;
    }

    /**
     * Interception by proxies. They are created even if {@code spring.aop.auto} is false, so that methods are locked.
     */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnAspectMode.Proxies.class)
    @Import(AutoProxyCreatorRegistrar.class)
    static class ProxyConfiguration {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DistributedLockAdvisor leaseholdAdvisor(Environment environment) {
            // The bean of the properties would be created too early for the application's own post-processors.
            LockProperties.Aspect properties =
                    Binder.get(environment).bindOrCreate("lock.aspect", LockProperties.Aspect.class);
            return new DistributedLockAdvisor(ASPECT_BEAN, properties.order());
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static LockAdviceOrder leaseholdAdviceOrder(BeanFactory beans) {
            return new LockAdviceOrder(beans);
        }

        @Bean(DistributedLockValidator.BEAN_NAME)
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DistributedLockValidator leaseholdValidator(
                LockSpecs specs, ConfigurableListableBeanFactory beans, Environment environment) {
            OnAspectMode.requireAsProcessed(environment, Mode.PROXY);
            return new DistributedLockValidator(specs, beans, false);
        }

        @Bean
        static ParentContextCheck leaseholdParentContextCheck() {
            return new ParentContextCheck();
        }

        @Bean
        static ChildContextCheck leaseholdChildContextCheck(ApplicationContext context) {
            return new ChildContextCheck(Mode.PROXY, context);
        }
    }

    /** Interception by load-time weaving. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Aspects.class)
    @Conditional(OnAspectMode.Weaving.class)
    static class WeavingConfiguration {

        private static final String REGISTRATION = "leaseholdWovenAspectRegistration";

        /** After the weaver itself is checked: the validator would blame the first class that it did not weave. */
        @Bean(DistributedLockValidator.BEAN_NAME)
        @DependsOn(REGISTRATION)
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DistributedLockValidator leaseholdValidator(LockSpecs specs, ConfigurableListableBeanFactory beans) {
            return new DistributedLockValidator(specs, beans, true);
        }

        @Bean(REGISTRATION)
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static WovenAspectRegistration leaseholdWovenAspectRegistration(
                DistributedLockAspect aspect, ConfigurableListableBeanFactory beans, Environment environment) {
            OnAspectMode.requireAsProcessed(environment, Mode.ASPECTJ);
            WovenDistributedLockAspect woven = woven();
            ParentContextCheck.requireWoven(beans);
            return new WovenAspectRegistration(woven, aspect);
        }

        @Bean
        static ChildContextCheck leaseholdChildContextCheck(ApplicationContext context) {
            return new ChildContextCheck(Mode.ASPECTJ, context);
        }

        @Bean
        static WovenContext leaseholdWovenContext() {
            return new WovenContext(true);
        }

        private static WovenDistributedLockAspect woven() {
            try {
                return Aspects.aspectOf(WovenDistributedLockAspect.class);
            } catch (NoAspectBoundException ex) {
                throw new LockConfigurationException(
                        "lock.aspect.mode",
                        "aspectj",
                        "needs load-time weaving, and AspectJ has not woven WovenDistributedLockAspect",
                        "Start the JVM with -javaagent:aspectjweaver.jar, and name the aspect and the packages with locked"
                                + " methods in META-INF/aop.xml, as docs/spring.md shows; or set 'lock.aspect.mode' to"
                                + " 'proxy'.");
            }
        }
    }

    /**
     * Registers an auto-proxy creator if none is present, as in a slice of a test. Its proxies are of the kind that
     * Spring Boot's own has.
     */
    static final class AutoProxyCreatorRegistrar implements ImportBeanDefinitionRegistrar {

        private final boolean ofClasses;

        AutoProxyCreatorRegistrar(Environment environment) {
            this.ofClasses = environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
            boolean registered = AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry) != null;
            if (registered && ofClasses) {
                AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
            }
        }
    }
}
