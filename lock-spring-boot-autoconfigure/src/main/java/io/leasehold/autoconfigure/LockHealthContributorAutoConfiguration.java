package io.leasehold.autoconfigure;

import io.leasehold.actuate.LockHealthIndicator;
import io.leasehold.autoconfigure.backend.LockBackends;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health contribution {@code locks}. Each context has its own, which includes that of its parent. */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(LockBackends.class)
@ConditionalOnEnabledHealthIndicator("locks")
public final class LockHealthContributorAutoConfiguration {

    /** Backs off for both names that Spring Boot shortens to {@code locks}. */
    @Bean
    @ConditionalOnMissingBean(
            name = {"locksHealthIndicator", "locksHealthContributor"},
            search = SearchStrategy.CURRENT)
    LockHealthIndicator locksHealthIndicator(StoreInspection inspection) {
        return new LockHealthIndicator(inspection);
    }
}
