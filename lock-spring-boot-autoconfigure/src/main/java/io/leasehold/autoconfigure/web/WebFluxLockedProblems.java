package io.leasehold.autoconfigure.web;

import io.leasehold.LockNotAcquiredException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.reactive.result.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Passes a {@link LockNotAcquiredException} to the handler that writes the application's other problem details. WebFlux
 * calls that handler for exceptions of controllers only, so a {@code WebExceptionHandler} comes too late.
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class WebFluxLockedProblems {

    private final LockWebProperties properties;

    private final ResponseEntityExceptionHandler problems;

    WebFluxLockedProblems(LockWebProperties properties, ResponseEntityExceptionHandler problems) {
        this.properties = properties;
        this.problems = problems;
    }

    @ExceptionHandler
    Mono<ResponseEntity<Object>> handle(LockNotAcquiredException failure, ServerWebExchange exchange) {
        return problems.handleException(properties.response(failure), exchange);
    }
}
