package io.leasehold.autoconfigure;

import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.backend.LockBackends;
import io.leasehold.autoconfigure.locker.LockerFactory;
import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.property.ReplacedBean;
import io.leasehold.observation.LockMeterObservationHandler;
import io.leasehold.observation.ObservationLockListener;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Observations of locks, if there is an observation registry. */
@AutoConfiguration(
        after = LockAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(value = LockBackends.class, search = SearchStrategy.CURRENT)
@ConditionalOnSwitch("lock.observations.enabled")
@EnableConfigurationProperties(LockProperties.Observations.class)
public final class LockObservationAutoConfiguration {

    private static final String LISTENER = "leaseholdObservationListener";

    /** Each context has its own, because it reads the lockers and the properties of the context. */
    @Bean(LISTENER)
    @ConditionalOnBean(ObservationRegistry.class)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    @Conditional(NoListenerOfParent.class)
    ObservationLockListener leaseholdObservationListener(
            ObservationRegistry registry, LockerRegistry lockers, LockProperties.Observations properties) {
        return new ObservationLockListener(registry, lockers, properties.includeKey());
    }

    @Bean
    SmartInitializingSingleton leaseholdObservationsInitializer(
            ListableBeanFactory beans, LockerFactory lockers, Environment environment) {
        return () -> {
            ReplacedBean.warnOf(
                    environment, "lock.observations.include-key", beans, LISTENER, ObservationLockListener.class);
            beans.getBeansOfType(ObservationLockListener.class)
                    .values()
                    .forEach(listener -> lockers.observe(created -> {}, listener::forget));
        };
    }

    /** Matches unless the application has defined a listener in a parent context, which observes all locks. */
    static final class NoListenerOfParent implements ConfigurationCondition {

        @Override
        public ConfigurationPhase getConfigurationPhase() {
            return ConfigurationPhase.REGISTER_BEAN;
        }

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            ConfigurableListableBeanFactory beans = context.getBeanFactory();
            return beans == null
                    || !(beans.getParentBeanFactory() instanceof ListableBeanFactory parent)
                    || Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                                    parent, ObservationLockListener.class, true, false))
                            .allMatch(LISTENER::equals);
        }
    }

    /** With meters on the class path, handlers exist that make meters of observations. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterObservationHandler.class)
    @ConditionalOnBean(ObservationRegistry.class)
    static class MetersConfiguration {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        LockMeterObservationHandler leaseholdMeterObservationHandler() {
            return new LockMeterObservationHandler();
        }
    }
}
