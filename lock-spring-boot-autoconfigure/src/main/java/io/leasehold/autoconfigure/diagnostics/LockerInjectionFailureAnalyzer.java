package io.leasehold.autoconfigure.diagnostics;

import io.leasehold.Locker;
import io.leasehold.autoconfigure.locker.LockerFactory;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.support.NearestName;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/**
 * Reports how to inject a {@link Locker} if none has the requested name, or if there are several and none was named.
 * Takes precedence over Boot's message for a missing bean.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LockerInjectionFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    private static final String SUFFIX = "Locker";

    private final @Nullable BeanFactory beans;

    LockerInjectionFailureAnalyzer(@Nullable BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        ResolvableType type = cause.getResolvableType();
        if (type == null || type.resolve() != Locker.class) {
            return null;
        }
        InjectionPoint point = innermost(rootFailure, UnsatisfiedDependencyException.class)
                .map(UnsatisfiedDependencyException::getInjectionPoint)
                .orElse(null);
        return cause.getNumberOfBeansFound() > 1 ? ambiguous(point, beanOf(rootFailure), cause) : missing(point, cause);
    }

    private static @Nullable String beanOf(Throwable rootFailure) {
        return innermost(rootFailure, BeanCreationException.class)
                .map(BeanCreationException::getBeanName)
                .orElse(null);
    }

    /** The failure of the bean that needs the locker. Those of the beans that need this bean are around it. */
    private static <T extends Throwable> Optional<T> innermost(Throwable rootFailure, Class<T> type) {
        return Stream.<Throwable>iterate(rootFailure, Objects::nonNull, Throwable::getCause)
                .filter(type::isInstance)
                .map(type::cast)
                .reduce((outer, inner) -> inner);
    }

    private FailureAnalysis ambiguous(
            @Nullable InjectionPoint point, @Nullable String bean, NoSuchBeanDefinitionException cause) {
        String name = nameOf(point);
        Optional<String> nearest =
                NearestName.of(name, beanNames()).or(() -> NearestName.of(name + SUFFIX, beanNames()));
        return new FailureAnalysis(
                (name.isEmpty() ? "A locker" + (bean == null ? "" : " for bean '" + bean + "'") : "'" + name + "'")
                        + (point == null ? "" : ", to be injected into " + point.getMember() + ",")
                        + " names none of the lockers. " + known(),
                nearest.map(found -> "Call it '" + found + "'").orElse("Call it like one of these beans")
                        + ", or add a @Qualifier with the locker's name"
                        + (nearest.isEmpty() || name.isEmpty() ? " (parameters have names with -parameters only)" : "")
                        + ". For the locker 'default' that is 'defaultLocker'.",
                cause);
    }

    private FailureAnalysis missing(@Nullable InjectionPoint point, NoSuchBeanDefinitionException cause) {
        Qualifier qualifier = point == null ? null : point.getAnnotation(Qualifier.class);
        String name = qualifier == null ? "" : qualifier.value();
        if (beans == null || !beans.containsBean(LockerFactory.BEAN)) {
            return new FailureAnalysis(
                    "There is no locker" + (point == null ? "" : " for " + point.getMember())
                            + ": the auto-configuration of locks is not part of this application context.",
                    "In a test of a slice, such as @WebMvcTest or @DataJpaTest, put @AutoConfigureTestLocks of"
                            + " lock-spring-boot-starter-test on the class, or replace the locker by a @MockitoBean."
                            + " Elsewhere, see that LockAutoConfiguration is not excluded.",
                    cause);
        }
        return new FailureAnalysis(
                "There is no locker" + (name.isEmpty() ? "" : " '" + name + "'")
                        + (point == null ? "" : " for " + point.getMember()) + ". " + known(),
                name.isEmpty()
                        ? "Give the locker a qualifier with its name, or the name of its bean."
                        : NearestName.of(name + SUFFIX, beanNames())
                                        .filter(near -> near.endsWith(SUFFIX))
                                        .map(near -> "Did you mean '" + LockerName.ofBean(near) + "'? Otherwise add")
                                        .orElse("Correct the name, or add")
                                + " 'lock.lockers." + name + "' to the configuration.",
                cause);
    }

    private static String nameOf(@Nullable InjectionPoint point) {
        if (point == null) {
            return "";
        }
        MethodParameter parameter = point.getMethodParameter();
        String name = parameter == null ? point.getMember().getName() : parameter.getParameterName();
        return name == null ? "" : name;
    }

    private String known() {
        return beanNames().isEmpty() ? "" : "There are the beans " + String.join(", ", beanNames()) + ".";
    }

    private List<String> beanNames() {
        return beans instanceof ListableBeanFactory listable
                ? List.of(listable.getBeanNamesForType(Locker.class, true, false))
                : List.of();
    }
}
