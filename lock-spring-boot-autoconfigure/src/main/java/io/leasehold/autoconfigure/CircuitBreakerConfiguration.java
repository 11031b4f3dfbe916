package io.leasehold.autoconfigure;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Circuit breakers for lockers, if Resilience4j is there; in the application's registry if it has one. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(CircuitBreakerRegistry.class)
class CircuitBreakerConfiguration {

    @Bean
    CircuitBreakers lockCircuitBreakers(ObjectProvider<CircuitBreakerRegistry> registries) {
        return new CircuitBreakers(registries.getIfUnique(CircuitBreakerRegistry::ofDefaults));
    }
}
