package io.leasehold.autoconfigure.web;

import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Leaves handles of locked handler methods to the lock's advice. WebFlux would try to create them. */
final class WebFluxLockHandleResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return LockHandleParameters.contains(parameter);
    }

    @Override
    public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
        return Mono.empty();
    }
}
