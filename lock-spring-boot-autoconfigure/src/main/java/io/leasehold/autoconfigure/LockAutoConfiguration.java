package io.leasehold.autoconfigure;

import io.leasehold.LockListener;
import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.ConditionalOnSwitch.OnSwitch;
import io.leasehold.autoconfigure.backend.ClientBeanResolver;
import io.leasehold.autoconfigure.backend.DedicatedRedis;
import io.leasehold.autoconfigure.backend.LockBackendFactory;
import io.leasehold.autoconfigure.backend.LockBackends;
import io.leasehold.autoconfigure.backend.StoreClock;
import io.leasehold.autoconfigure.etcd.EtcdLockBackendConfiguration;
import io.leasehold.autoconfigure.jdbc.JdbcLockBackendConfiguration;
import io.leasehold.autoconfigure.jdbc.RowLockBackendConfiguration;
import io.leasehold.autoconfigure.locker.BeanLockerRegistry;
import io.leasehold.autoconfigure.locker.CreatedLockers;
import io.leasehold.autoconfigure.locker.EngineLockerPostProcessor;
import io.leasehold.autoconfigure.locker.InjectedNameCheck;
import io.leasehold.autoconfigure.locker.InstanceName;
import io.leasehold.autoconfigure.locker.LockEngineFactory;
import io.leasehold.autoconfigure.locker.LockKeyCustomizers;
import io.leasehold.autoconfigure.locker.LockerBeanNameCheck;
import io.leasehold.autoconfigure.locker.LockerConfigurations;
import io.leasehold.autoconfigure.locker.LockerFactory;
import io.leasehold.autoconfigure.locker.LockerFactory.LockerGuard;
import io.leasehold.autoconfigure.locker.LockersRegistrar;
import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.redis.RedisLockBackendConfiguration;
import io.leasehold.autoconfigure.redis.RedlockLockBackendConfiguration;
import io.leasehold.engine.LockEngine;
import io.leasehold.event.LockEventPublisher;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Lockers, their stores, and the engine between them. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnSwitch("lock.enabled")
@Import({
    CircuitBreakerConfiguration.class,
    CommitGuardConfiguration.class,
    EtcdLockBackendConfiguration.class,
    JdbcLockBackendConfiguration.class,
    LockedMethodCheckAutoConfiguration.class,
    LockPropertiesConfiguration.class,
    MemoryLockBackendConfiguration.class,
    RedisLockBackendConfiguration.class,
    RedlockLockBackendConfiguration.class,
    RowLockBackendConfiguration.class,
    UnlockedMethodsConfiguration.class,
    LockersRegistrar.class
})
public final class LockAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(LockAutoConfiguration.class);

    private static final String ENGINE = "leaseholdEngine";

    @Bean
    static BeanFactoryPostProcessor leaseholdSwitchCheck(Environment environment) {
        return beans -> OnSwitch.requireAsProcessed(environment, "lock.enabled", true);
    }

    @Bean
    @ConditionalOnSwitch(value = ConditionalOnSwitch.ASPECT_ENABLED, on = false)
    static BeanFactoryPostProcessor leaseholdAspectWarning(Environment environment) {
        return beans -> {
            OnSwitch.requireAsProcessed(environment, ConditionalOnSwitch.ASPECT_ENABLED, false);
            log.warn(
                    "'{}' is false: methods with @DistributedLock run without a lock, unless AspectJ wove them and another"
                            + " context locks them. Injected lockers lock",
                    ConditionalOnSwitch.ASPECT_ENABLED);
        };
    }

    @Bean
    static LockerBeanNameCheck leaseholdLockerBeanNameCheck(Environment environment) {
        return new LockerBeanNameCheck(environment);
    }

    @Bean
    static InjectedNameCheck leaseholdInjectedNameCheck(ConfigurableListableBeanFactory beans) {
        return new InjectedNameCheck(beans);
    }

    @Bean
    LockBackends leaseholdBackends(
            List<LockBackendFactory> factories,
            ObjectProvider<DedicatedRedis.Factory> ownRedis,
            ConfigurableListableBeanFactory beans) {
        return new LockBackends(factories, new DedicatedRedis.Stores(ownRedis), beans);
    }

    @Bean(defaultCandidate = false)
    @DependsOn(ClientBeanResolver.LOCK_BACKENDS)
    LockEngine leaseholdEngine(
            LockListeners listeners,
            ObjectProvider<LockEngineFactory> engines,
            Environment environment,
            LockProperties common) {
        LockEngineFactory factory = engines.getIfAvailable(() -> LockEngine::new);
        return factory.create(listeners.asOne(), () -> InstanceName.of(environment, common));
    }

    @Bean
    LockListeners leaseholdListeners(ObjectProvider<LockListener> listeners) {
        return new LockListeners(listeners);
    }

    @Bean
    LockerFactory leaseholdLockerFactory(
            @Qualifier(ENGINE) LockEngine engine,
            LockBackends backends,
            ObjectProvider<LockerGuard> guard,
            LockerConfigurations configurations,
            LockProperties common,
            ListableBeanFactory beans) {
        return new LockerFactory(
                engine,
                backends,
                guard,
                configurations,
                new LockKeyCustomizers(beans),
                common.maskKeys(),
                common.leakDetection());
    }

    @Bean
    CreatedLockers leaseholdRuntimeLockers(
            LockerFactory lockers,
            ObjectProvider<LockerRegistry> registry,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        return new CreatedLockers(lockers, registry, beans, environment);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static EngineLockerPostProcessor leaseholdEngineLockerPostProcessor(ConfigurableListableBeanFactory beans) {
        return new EngineLockerPostProcessor(beans);
    }

    @Bean
    @ConditionalOnMissingBean(value = LockerRegistry.class, search = SearchStrategy.CURRENT)
    BeanLockerRegistry lockerRegistry(
            ListableBeanFactory beans,
            LockerFactory lockers,
            ObjectProvider<CreatedLockers> created,
            Environment environment) {
        return new BeanLockerRegistry(beans, environment, created.getIfAvailable(), lockers::status);
    }

    @Bean
    LockEventPublisher leaseholdEventPublisher(ApplicationEventPublisher publisher, LockProperties.Events properties) {
        return new LockEventPublisher(publisher, properties.publish());
    }

    @Bean
    StoreInspection leaseholdStoreInspection(
            @Qualifier(ENGINE) LockEngine engine,
            LockBackends backends,
            LockProperties.Safety properties,
            ListableBeanFactory beans) {
        return new StoreInspection(
                backends,
                properties.timeout(),
                properties.clockOffset(),
                StoreClock.wall(),
                engine::status,
                BeanLockerRegistry.inParent(beans, StoreInspection.class));
    }

    @Bean
    SafetyCheck leaseholdSafetyCheck(
            StoreInspection inspection,
            LockBackends backends,
            LockProperties.Safety safety,
            @Qualifier(ENGINE) LockEngine engine) {
        if (!backends.hasStoresOfApplication()) {
            safety.requireKnownSubjects();
        }
        return new SafetyCheck(inspection, safety, engine);
    }

    @Bean
    LockLifecycle.Resumption leaseholdResumption(
            @Qualifier(ENGINE) LockEngine engine, LockBackends backends, SafetyCheck safetyCheck) {
        return new LockLifecycle.Resumption(engine, backends, safetyCheck);
    }

    @Bean
    LockLifecycle leaseholdLifecycle(
            @Qualifier(ENGINE) LockEngine engine,
            LockBackends backends,
            SafetyCheck safetyCheck,
            LockProperties.Shutdown shutdown,
            Environment environment) {
        return new LockLifecycle(engine, backends, safetyCheck, ShutdownTimeout.of(environment, shutdown));
    }
}
