package io.leasehold.autoconfigure.adapter;

import io.leasehold.LockerRegistry;
import io.leasehold.adapter.integration.LockerLockRegistry;
import java.util.Objects;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/** Spring Integration's lock registry over the locker that {@code lock.integration.locker} names. */
@AutoConfiguration(
        afterName = {
            "io.leasehold.autoconfigure.LockAutoConfiguration",
            "io.leasehold.autoconfigure.LockDisabledAutoConfiguration"
        })
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnProperty(IntegrationProperties.LOCKER)
@ConditionalOnBean(LockerRegistry.class)
@EnableConfigurationProperties(IntegrationProperties.class)
public final class LockIntegrationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    LockerLockRegistry leaseholdLockRegistry(LockerRegistry lockers, IntegrationProperties properties) {
        String name = Objects.requireNonNullElse(properties.locker(), "");
        return new LockerLockRegistry(AdapterLocker.find(lockers, IntegrationProperties.LOCKER, name));
    }
}
