package io.leasehold.autoconfigure;

import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import io.leasehold.autoconfigure.ConditionalOnSwitch.OnSwitch;
import io.leasehold.autoconfigure.backend.StoreClock;
import io.leasehold.autoconfigure.locker.BeanLockerRegistry;
import io.leasehold.autoconfigure.locker.CreatedLockers;
import io.leasehold.autoconfigure.locker.LockerBeanNameCheck;
import io.leasehold.autoconfigure.locker.LockerConfigurations;
import io.leasehold.autoconfigure.locker.LockerFactory;
import io.leasehold.autoconfigure.locker.LockersRegistrar;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.property.LockProperties.DisabledMode;
import io.leasehold.autoconfigure.property.PropertyOrigin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Lockers without a store, while {@code lock.enabled} is false. {@code lock.disabled-mode} selects their behaviour. It
 * has no default, so that an application runs unlocked only if this is set explicitly.
 */
@AutoConfiguration
@ConditionalOnSwitch(value = "lock.enabled", on = false)
@Import({
    LockedMethodCheckAutoConfiguration.class,
    LockPropertiesConfiguration.class,
    LockersRegistrar.class,
    UnlockedMethodsConfiguration.class
})
public final class LockDisabledAutoConfiguration {

    private static final String ENABLED = "lock.enabled";

    private static final Logger log = LoggerFactory.getLogger(LockDisabledAutoConfiguration.class);

    @Bean
    static BeanFactoryPostProcessor leaseholdDisabledModeCheck(Environment environment) {
        return beans -> {
            OnSwitch.requireAsProcessed(environment, ENABLED, false);
            if (mode(environment) == DisabledMode.FAIL) {
                log.warn(
                        "'lock.enabled' is false{} and 'lock.disabled-mode' is 'fail': every attempt to take a lock fails,"
                                + " also those of methods with @DistributedLock",
                        PropertyOrigin.phrase(environment, ENABLED));
            } else {
                log.warn(
                        "'lock.enabled' is false{} and 'lock.disabled-mode' is 'run-unlocked': lockers grant every lock, and"
                                + " methods with @DistributedLock run without one, on all instances at the same time",
                        PropertyOrigin.phrase(environment, ENABLED));
            }
        };
    }

    @Bean
    static LockerBeanNameCheck leaseholdLockerBeanNameCheck(Environment environment) {
        return new LockerBeanNameCheck(environment);
    }

    @Bean(LockerFactory.BEAN)
    DisabledLockers leaseholdDisabledLockers(
            Environment environment, LockProperties common, LockerConfigurations configurations) {
        return new DisabledLockers(
                configurations,
                mode(environment),
                PropertyOrigin.phrase(environment, ENABLED),
                common.maskKeys(),
                StoreClock.wall());
    }

    @Bean
    CreatedLockers leaseholdRuntimeLockers(
            DisabledLockers lockers,
            ObjectProvider<LockerRegistry> registry,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        return new CreatedLockers(lockers, registry, beans, environment);
    }

    @Bean
    @ConditionalOnMissingBean(value = LockerRegistry.class, search = SearchStrategy.CURRENT)
    BeanLockerRegistry lockerRegistry(
            ListableBeanFactory beans, ObjectProvider<CreatedLockers> created, Environment environment) {
        return new BeanLockerRegistry(
                beans, environment, created.getIfAvailable(), name -> LockerStatus.idle(name, "disabled"));
    }

    private static DisabledMode mode(Environment environment) {
        return Binder.get(environment)
                .bind("lock.disabled-mode", DisabledMode.class)
                .orElseThrow(() -> new LockConfigurationException(
                        "lock.disabled-mode",
                        null,
                        "must be set, since 'lock.enabled' is false" + PropertyOrigin.phrase(environment, ENABLED),
                        "Set it to 'fail', so that no lock is granted, or to 'run-unlocked', so that every lock is granted"
                                + " and nothing excludes anything."));
    }
}
