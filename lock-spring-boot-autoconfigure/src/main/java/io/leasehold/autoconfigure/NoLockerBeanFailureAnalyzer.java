package io.leasehold.autoconfigure;

import io.leasehold.Locker;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/** Says how to get the {@link Locker} that was to be injected. Comes before Boot's words for any missing bean. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class NoLockerBeanFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    private final @Nullable BeanFactory beans;

    NoLockerBeanFailureAnalyzer(@Nullable BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        ResolvableType type = cause.getResolvableType();
        if (type == null || type.resolve() != Locker.class || cause.getNumberOfBeansFound() > 1) {
            return null;
        }
        Optional<InjectionPoint> point = Optional.ofNullable(
                        findCause(rootFailure, UnsatisfiedDependencyException.class))
                .map(UnsatisfiedDependencyException::getInjectionPoint);
        String name = point.map(where -> where.getAnnotation(Qualifier.class))
                .map(Qualifier::value)
                .orElse("");
        return new FailureAnalysis(
                "There is no locker" + (name.isEmpty() ? "" : " '" + name + "'")
                        + point.map(where -> " for " + where.getMember()).orElse("") + ". " + known(),
                name.isEmpty()
                        ? "See that 'lock.enabled' is not false."
                        : "Correct the name, or add 'lock.lockers." + name + "' to the configuration.",
                cause);
    }

    private String known() {
        return beans instanceof ListableBeanFactory listable
                ? "There are the beans " + String.join(", ", listable.getBeanNamesForType(Locker.class, true, false))
                        + "."
                : "";
    }
}
