package io.leasehold.autoconfigure.web;

import io.leasehold.LockNotAcquiredException;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.reactive.result.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
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

    /** Passes a {@link LockNotAcquiredException} to Spring Boot's handler of errors as an exception with a status. */
    static final class WebFluxLockedExceptionHandler implements WebExceptionHandler, Ordered {

        /** Immediately before Spring Boot's handler, which is at -1. */
        static final int ORDER = -2;

        private final LockWebProperties properties;

        WebFluxLockedExceptionHandler(LockWebProperties properties) {
            this.properties = properties;
        }

        @Override
        public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
            return Mono.error(
                    failure instanceof LockNotAcquiredException locked ? properties.response(locked) : failure);
        }

        @Override
        public int getOrder() {
            return ORDER;
        }
    }
}
