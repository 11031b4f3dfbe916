package io.leasehold.autoconfigure.web;

import io.leasehold.LockNotAcquiredException;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Locks in applications with Spring MVC. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Servlet.class, DispatcherServlet.class, WebMvcConfigurer.class})
@EnableConfigurationProperties(LockWebProperties.class)
public final class LockWebMvcAutoConfiguration {

    @Bean
    MvcLockedExceptionResolver leaseholdMvcExceptionResolver(
            LockWebProperties properties,
            @Qualifier(DispatcherServlet.HANDLER_EXCEPTION_RESOLVER_BEAN_NAME)
                    ObjectProvider<HandlerExceptionResolver> resolver) {
        return new MvcLockedExceptionResolver(properties, resolver::getIfAvailable);
    }

    @Bean
    WebMvcConfigurer leaseholdWebMvcConfigurer() {
        return new WebMvcConfigurer() {
            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(handleResolver());
            }
        };
    }

    /** Leaves handles of locked handler methods to the lock's advice. Spring MVC would try to create them. */
    private static HandlerMethodArgumentResolver handleResolver() {
        return new HandlerMethodArgumentResolver() {
            @Override
            public boolean supportsParameter(MethodParameter parameter) {
                return LockHandleParameters.contains(parameter);
            }

            @Override
            public @Nullable Object resolveArgument(
                    MethodParameter parameter,
                    @Nullable ModelAndViewContainer container,
                    NativeWebRequest request,
                    @Nullable WebDataBinderFactory binders) {
                return null;
            }
        };
    }

    /**
     * Passes a {@link LockNotAcquiredException} that nothing else resolved to Spring MVC's own resolver, as an exception
     * with a status. Problem details and error pages are then those of the application's other errors.
     */
    static final class MvcLockedExceptionResolver implements HandlerExceptionResolver, Ordered {

        private final LockWebProperties properties;

        private final Supplier<@Nullable HandlerExceptionResolver> resolver;

        MvcLockedExceptionResolver(
                LockWebProperties properties, Supplier<@Nullable HandlerExceptionResolver> resolver) {
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
}
