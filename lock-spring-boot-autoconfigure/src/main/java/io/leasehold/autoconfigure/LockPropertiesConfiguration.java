package io.leasehold.autoconfigure;

import io.leasehold.autoconfigure.locker.LockerConfigurations;
import io.leasehold.autoconfigure.locker.LockerCustomizers;
import io.leasehold.autoconfigure.property.AbsentAdapter;
import io.leasehold.autoconfigure.property.CircuitBreakerProperties;
import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.property.LockPropertyNames;
import io.leasehold.autoconfigure.property.LockValueBindHandler;
import io.leasehold.autoconfigure.property.LockerProperties;
import io.leasehold.autoconfigure.property.ServiceLinkBindHandler;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** The properties of locks and their checks, which are the same while {@code lock.enabled} is false. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({
    CircuitBreakerProperties.class,
    LockProperties.class,
    LockerProperties.Defaults.class,
    LockProperties.Events.class,
    LockProperties.ForceRelease.class,
    LockProperties.Safety.class,
    LockProperties.Shutdown.class
})
@ImportRuntimeHints(LockRuntimeHints.class)
class LockPropertiesConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ConfigurationPropertiesBindHandlerAdvisor leaseholdDurationUnits(Environment environment) {
        return handler -> new ServiceLinkBindHandler(new LockValueBindHandler(handler, environment), environment);
    }

    @Bean
    static BeanFactoryPostProcessor leaseholdPropertyNameCheck(Environment environment) {
        return beans -> {
            LockPropertyNames.check(environment);
            AbsentAdapter.check(environment, beans);
        };
    }

    @Bean
    LockerConfigurations leaseholdLockerConfigurations(
            Environment environment,
            LockProperties common,
            LockerProperties.Defaults defaults,
            LockProperties.ForceRelease forceRelease,
            CircuitBreakerProperties circuitBreaker,
            ListableBeanFactory beans) {
        return new LockerConfigurations(
                environment, common, defaults, forceRelease, circuitBreaker, new LockerCustomizers(beans));
    }
}
