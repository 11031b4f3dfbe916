package io.leasehold.autoconfigure;

import io.leasehold.aop.reactive.ReactiveCommitGuard;
import io.leasehold.aop.transaction.LeaseCommitGuard;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.ConfigurableTransactionManager;
import reactor.core.publisher.Mono;

/**
 * The check of the locks before a commit. The configurations of lockers and of the aspect both import it: injected
 * lockers need it without the aspect, and the aspect needs it with a registry of the application.
 */
@Configuration(proxyBeanMethods = false)
class CommitGuardConfiguration {

    /** The check for transactions of threads. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConfigurableTransactionManager.class)
    static class TransactionConfiguration {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static LeaseCommitGuard leaseholdCommitGuard() {
            return new LeaseCommitGuard();
        }
    }

    /** The same check for reactive transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ConfigurableTransactionManager.class, Mono.class})
    static class ReactiveTransactionConfiguration {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static ReactiveCommitGuard leaseholdReactiveCommitGuard() {
            return new ReactiveCommitGuard();
        }
    }
}
