package io.leasehold.autoconfigure.adapter;

import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.adapter.shedlock.LockerLockProvider;
import io.leasehold.autoconfigure.locker.LockerConfigurations;
import java.time.Duration;
import java.util.Objects;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

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

    @Bean
    @ConditionalOnMissingBean(LockProvider.class)
    LockerLockProvider leaseholdLockProvider(
            LockerRegistry lockers,
            AdapterProperties.ShedLock properties,
            ObjectProvider<LockerConfigurations> configurations) {
        String name = Objects.requireNonNullElse(properties.locker(), "");
        Locker locker = AdapterProperties.locker(lockers, AdapterProperties.ShedLock.LOCKER, name);
        LockerConfigurations configured = configurations.getIfAvailable();
        Duration ttl = configured == null
                ? LockerLockProvider.DEFAULT_TTL
                : configured.get(name).settings().ttl();
        return new LockerLockProvider(locker, ttl);
    }
}
