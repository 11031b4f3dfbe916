package io.leasehold.aop;

import io.leasehold.LockerRegistry;
import io.leasehold.aop.reactive.ReactiveCommitGuard;
import io.leasehold.aop.spec.LockSpecs;
import io.leasehold.aop.transaction.LeaseCommitGuard;
import io.leasehold.aop.validation.DistributedLockValidator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** The beans that the auto-configuration declares, over fake lockers named "default" and "billing". */
@Configuration(proxyBeanMethods = false)
class AopTestConfiguration {

    @Bean
    RecordingLocker defaultLocker() {
        return new RecordingLocker("default");
    }

    @Bean
    RecordingLocker billingLocker() {
        return new RecordingLocker("billing");
    }

    @Bean
    RecordingLockerRegistry lockerRegistry(RecordingLocker defaultLocker, RecordingLocker billingLocker) {
        return new RecordingLockerRegistry(defaultLocker, billingLocker);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockSpecs lockSpecs(ConfigurableBeanFactory beanFactory) {
        return new LockSpecs(beanFactory::resolveEmbeddedValue);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockAspect distributedLockAspect(LockSpecs specs, ObjectProvider<LockerRegistry> lockers) {
        return new DistributedLockAspect(specs, lockers::getObject);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockAdvisor distributedLockAdvisor() {
        return new DistributedLockAdvisor("distributedLockAspect", DistributedLockAdvisor.DEFAULT_ORDER);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributedLockValidator distributedLockValidator(
            LockSpecs specs, ConfigurableListableBeanFactory beanFactory) {
        return new DistributedLockValidator(specs, beanFactory, false);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaseCommitGuard leaseCommitGuard() {
        return new LeaseCommitGuard();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ReactiveCommitGuard reactiveCommitGuard() {
        return new ReactiveCommitGuard();
    }
}
