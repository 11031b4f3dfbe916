package io.leasehold.autoconfigure.web;

import io.leasehold.LockNotAcquiredException;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Passes a {@link LockNotAcquiredException} to Spring Boot's handler of errors as an exception with a status. */
final class WebFluxLockedExceptionHandler implements WebExceptionHandler, Ordered {

    /** Immediately before Spring Boot's handler, which is at -1. */
    static final int ORDER = -2;

    private final LockWebProperties properties;

    WebFluxLockedExceptionHandler(LockWebProperties properties) {
        this.properties = properties;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        return Mono.error(failure instanceof LockNotAcquiredException locked ? properties.response(locked) : failure);
    }

    @Override
    public int getOrder() {
        return ORDER;
    }
}
