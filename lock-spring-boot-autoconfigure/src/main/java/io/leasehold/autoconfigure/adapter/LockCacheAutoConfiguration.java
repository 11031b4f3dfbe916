package io.leasehold.autoconfigure.adapter;

import io.leasehold.LockerRegistry;
import io.leasehold.adapter.cache.CacheLocks;
import io.leasehold.adapter.cache.LockingCacheManager;
import io.leasehold.annotation.LockKeyType;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Spring's caches over the locker that {@code lock.cache.locker} names. */
@AutoConfiguration(
        afterName = {
            "io.leasehold.autoconfigure.LockAutoConfiguration",
            "io.leasehold.autoconfigure.LockDisabledAutoConfiguration"
        })
@ConditionalOnProperty(CacheProperties.LOCKER)
@ConditionalOnBean(LockerRegistry.class)
@ConditionalOnMissingBean(LockingCacheManager.class)
@EnableConfigurationProperties(CacheProperties.class)
public final class LockCacheAutoConfiguration {

    @Bean
    static LockingCachePostProcessor leaseholdCachePostProcessor(ObjectProvider<CacheLocks> locks) {
        return new LockingCachePostProcessor(locks);
    }

    @Bean
    @ConditionalOnMissingBean
    CacheLocks leaseholdCacheLocks(
            LockerRegistry lockers, CacheProperties properties, ObjectProvider<LockKeyType<?>> keyTypes) {
        String name = Objects.requireNonNullElse(properties.locker(), "");
        List<LockKeyType<?>> types = keyTypes.orderedStream().toList();
        return new CacheLocks(AdapterLocker.find(lockers, CacheProperties.LOCKER, name), properties.onFailure(), types);
    }
}
