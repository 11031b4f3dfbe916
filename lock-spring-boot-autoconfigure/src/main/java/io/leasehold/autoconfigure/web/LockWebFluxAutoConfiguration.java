package io.leasehold.autoconfigure.web;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.reactive.result.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Locks in applications with Spring WebFlux. */
@AutoConfiguration(afterName = "org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(WebFluxConfigurer.class)
@EnableConfigurationProperties(LockWebProperties.class)
public final class LockWebFluxAutoConfiguration {

    @Bean
    WebFluxLockedExceptionHandler leaseholdWebFluxExceptionHandler(LockWebProperties properties) {
        return new WebFluxLockedExceptionHandler(properties);
    }

    @Bean
    @ConditionalOnSingleCandidate(ResponseEntityExceptionHandler.class)
    WebFluxLockedProblems leaseholdWebFluxProblems(
            LockWebProperties properties, ResponseEntityExceptionHandler problems) {
        return new WebFluxLockedProblems(properties, problems);
    }

    @Bean
    WebFluxConfigurer leaseholdWebFluxConfigurer() {
        return new WebFluxConfigurer() {
            @Override
            public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
                resolvers.addCustomResolver(handleResolver());
            }
        };
    }

    /** Leaves handles of locked handler methods to the lock's advice. WebFlux would try to create them. */
    private static HandlerMethodArgumentResolver handleResolver() {
        return new HandlerMethodArgumentResolver() {
            @Override
            public boolean supportsParameter(MethodParameter parameter) {
                return LockHandleParameters.contains(parameter);
            }

            @Override
            public Mono<Object> resolveArgument(
                    MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
                return Mono.empty();
            }
        };
    }
}
