package io.leasehold.autoconfigure;

import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.backend.LockBackends;
import io.leasehold.autoconfigure.jdbc.JdbcLockMetersConfiguration;
import io.leasehold.autoconfigure.locker.LockerFactory;
import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.metrics.MicrometerLockListener;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Meters of locks, if there is a meter registry. */
@AutoConfiguration(
        after = LockAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(value = LockBackends.class, search = SearchStrategy.CURRENT)
@ConditionalOnSwitch("lock.metrics.enabled")
@EnableConfigurationProperties(LockProperties.Metrics.class)
@Import(JdbcLockMetersConfiguration.class)
public final class LockMetricsAutoConfiguration {

    /** Each context has its own, because the gauges read the lockers of the context. */
    @Bean
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    MicrometerLockListener leaseholdMicrometerListener(MeterRegistry meters, LockerRegistry lockers) {
        return new MicrometerLockListener(meters, lockers);
    }

    @Bean
    SmartInitializingSingleton leaseholdMetersInitializer(ListableBeanFactory beans, LockerFactory lockers) {
        // without those of a parent context
        return () -> beans.getBeansOfType(MicrometerLockListener.class)
                .values()
                .forEach(listener -> lockers.observe(listener::register, listener::forget));
    }
}
