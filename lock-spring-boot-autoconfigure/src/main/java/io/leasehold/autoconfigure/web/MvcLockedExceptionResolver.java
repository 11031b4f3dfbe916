package io.leasehold.autoconfigure.web;

import io.leasehold.LockNotAcquiredException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Passes a {@link LockNotAcquiredException} that nothing else resolved to Spring MVC's own resolver, as an exception
 * with a status. Problem details and error pages are then those of the application's other errors.
 */
final class MvcLockedExceptionResolver implements HandlerExceptionResolver, Ordered {

    private final LockWebProperties properties;

    private final Supplier<@Nullable HandlerExceptionResolver> resolver;

    MvcLockedExceptionResolver(LockWebProperties properties, Supplier<@Nullable HandlerExceptionResolver> resolver) {
        this.properties = properties;
        this.resolver = resolver;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        HandlerExceptionResolver spring = resolver.get();
        return spring != null && failure instanceof LockNotAcquiredException locked
                ? spring.resolveException(request, response, handler, properties.response(locked))
                : null;
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}
