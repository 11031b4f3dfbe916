package io.leasehold.autoconfigure;

import io.leasehold.LockerRegistry;
import io.leasehold.actuate.CircuitBreakerProbe;
import io.leasehold.actuate.LocksEndpoint;
import io.leasehold.actuate.LocksEndpointWebExtension;
import io.leasehold.autoconfigure.backend.LockBackends;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;

/** The actuator endpoint {@code locks}, if it is exposed. Each context has its own, which includes that of its parent. */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(LockBackends.class)
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
@EnableConfigurationProperties(LocksEndpointAutoConfiguration.LocksEndpointProperties.class)
public final class LocksEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    LocksEndpoint locksEndpoint(
            LockerRegistry lockers,
            StoreInspection inspection,
            ObjectProvider<CircuitBreakerProbe> breakers,
            LocksEndpointProperties properties) {
        return new LocksEndpoint(
                lockers, inspection, breakers.getIfAvailable(() -> locker -> null), properties.showValues());
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    @ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
    LocksEndpointWebExtension leaseholdLocksEndpointWebExtension(
            LocksEndpoint endpoint, LocksEndpointProperties properties) {
        return new LocksEndpointWebExtension(endpoint, properties.showValues(), properties.roles());
    }

    /**
     * The endpoint {@code locks}.
     *
     * @param showValues When to show keys, holders and threads.
     * @param roles Roles that are authorized to see keys. If empty, all authenticated users are authorized.
     */
    @ConfigurationProperties("management.endpoint.locks")
    record LocksEndpointProperties(
            @DefaultValue("never") Show showValues,
            @DefaultValue Set<String> roles) {}
}
