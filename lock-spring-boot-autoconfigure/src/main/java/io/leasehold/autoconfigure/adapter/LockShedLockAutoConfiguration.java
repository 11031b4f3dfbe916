package io.leasehold.autoconfigure.adapter;

import io.leasehold.LockerRegistry;
import io.leasehold.adapter.shedlock.LockerLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** ShedLock's provider over the locker that {@code lock.shedlock.locker} names. */
@AutoConfiguration(
        afterName = {
            "io.leasehold.autoconfigure.LockAutoConfiguration",
            "io.leasehold.autoconfigure.LockDisabledAutoConfiguration"
        })
@ConditionalOnClass(LockProvider.class)
@ConditionalOnProperty(AdapterProperties.ShedLock.LOCKER)
@ConditionalOnBean(LockerRegistry.class)
@EnableConfigurationProperties(AdapterProperties.ShedLock.class)
public final class LockShedLockAutoConfiguration {

    private static final String ADAPTER = "leaseholdLockProvider";

    @Bean
    static BeanFactoryPostProcessor leaseholdLockProviderCheck(Environment environment) {
        return AdapterProperties.replacementCheck(
                environment, AdapterProperties.ShedLock.LOCKER, ADAPTER, LockProvider.class);
    }

    @Bean(ADAPTER)
    @ConditionalOnMissingBean(LockProvider.class)
    LockerLockProvider leaseholdLockProvider(LockerRegistry lockers, AdapterProperties.ShedLock properties) {
        return new LockerLockProvider(
                AdapterProperties.locker(lockers, AdapterProperties.ShedLock.LOCKER, properties.locker()));
    }
}
