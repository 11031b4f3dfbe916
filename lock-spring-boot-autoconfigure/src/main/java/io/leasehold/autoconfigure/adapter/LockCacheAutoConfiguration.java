package io.leasehold.autoconfigure.adapter;

import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.adapter.cache.CacheLocks;
import io.leasehold.adapter.cache.LockingCacheManager;
import io.leasehold.annotation.LockKeyType;
import io.leasehold.autoconfigure.locker.ApplicationTasks;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Spring's caches over the locker that {@code lock.cache.locker} names. */
@AutoConfiguration(
        afterName = {
            "io.leasehold.autoconfigure.LockAutoConfiguration",
            "io.leasehold.autoconfigure.LockDisabledAutoConfiguration"
        })
@ConditionalOnProperty(AdapterProperties.Cache.LOCKER)
@ConditionalOnBean(LockerRegistry.class)
@EnableConfigurationProperties(AdapterProperties.Cache.class)
public final class LockCacheAutoConfiguration {

    static final String ADAPTER = "leaseholdCachePostProcessor";

    private static final String LOCKS = "leaseholdCacheLocks";

    @Bean
    static BeanFactoryPostProcessor leaseholdCacheCheck(Environment environment) {
        return AdapterProperties.replacementCheck(
                environment, AdapterProperties.Cache.LOCKER, ADAPTER, LockingCacheManager.class);
    }

    @Bean
    static BeanFactoryPostProcessor leaseholdCacheFailureCheck(Environment environment) {
        return AdapterProperties.replacementCheck(
                environment, AdapterProperties.Cache.ON_FAILURE, LOCKS, LockingCacheManager.class, CacheLocks.class);
    }

    @Bean
    static BeanFactoryPostProcessor leaseholdCacheLocksCheck(Environment environment) {
        return AdapterProperties.cacheLocksCheck(environment, ADAPTER, LOCKS);
    }

    @Bean(ADAPTER)
    @ConditionalOnMissingBean(value = LockingCacheManager.class, search = SearchStrategy.CURRENT)
    static BeanPostProcessor leaseholdCachePostProcessor(
            ObjectProvider<CacheLocks> locks, ConfigurableListableBeanFactory beans, Environment environment) {
        return new CacheManagerPostProcessor(locks, beans, environment);
    }

    @Bean(LOCKS)
    @ConditionalOnBean(name = ADAPTER, search = SearchStrategy.CURRENT)
    @ConditionalOnMissingBean(CacheLocks.class)
    CacheLocks leaseholdCacheLocks(
            LockerRegistry lockers,
            AdapterProperties.Cache properties,
            ObjectProvider<LockKeyType<?>> keyTypes,
            ListableBeanFactory beans) {
        Locker locker = AdapterProperties.locker(lockers, AdapterProperties.Cache.LOCKER, properties.locker());
        List<LockKeyType<?>> types = keyTypes.orderedStream().toList();
        return new CacheLocks(locker, properties.onFailure(), types, ApplicationTasks.waitableContext(beans));
    }
}
