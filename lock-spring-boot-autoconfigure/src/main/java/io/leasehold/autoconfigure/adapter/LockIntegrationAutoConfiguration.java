package io.leasehold.autoconfigure.adapter;

import io.leasehold.LockerRegistry;
import io.leasehold.adapter.integration.LockerLockRegistry;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.integration.support.locks.LockRegistry;

/** Spring Integration's lock registry over the locker that {@code lock.integration.locker} names. */
@AutoConfiguration(
        afterName = {
            "io.leasehold.autoconfigure.LockAutoConfiguration",
            "io.leasehold.autoconfigure.LockDisabledAutoConfiguration"
        })
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnProperty(AdapterProperties.Integration.LOCKER)
@ConditionalOnBean(LockerRegistry.class)
@EnableConfigurationProperties(AdapterProperties.Integration.class)
public final class LockIntegrationAutoConfiguration {

    private static final String ADAPTER = "leaseholdLockRegistry";

    @Bean
    static BeanFactoryPostProcessor leaseholdLockRegistryCheck(Environment environment) {
        return AdapterProperties.replacementCheck(
                environment, AdapterProperties.Integration.LOCKER, ADAPTER, LockRegistry.class);
    }

    @Bean(ADAPTER)
    @ConditionalOnMissingBean(LockRegistry.class)
    LockerLockRegistry leaseholdLockRegistry(LockerRegistry lockers, AdapterProperties.Integration properties) {
        return new LockerLockRegistry(
                AdapterProperties.locker(lockers, AdapterProperties.Integration.LOCKER, properties.locker()));
    }
}
