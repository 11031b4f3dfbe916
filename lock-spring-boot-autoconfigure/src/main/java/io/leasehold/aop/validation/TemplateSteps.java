package io.leasehold.aop.validation;

import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.MethodDescriptions;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of locked methods that are steps of an inherited template method, such as {@code doFilterInternal}. The
 * template calls its steps on its own object, behind the proxy.
 */
final class TemplateSteps {

    private static final Logger LOGGER = LoggerFactory.getLogger(TemplateSteps.class);

    private TemplateSteps() {}

    static void warn(Collection<LockSpec> specs) {
        for (LockSpec spec : specs) {
            Class<?> template = templateOf(spec.method());
            if (template != null) {
                LOGGER.warn(
                        "@DistributedLock on {} has no effect if it is called by {}, where it is protected: that call does"
                                + " not pass the proxy. Lock in a method of another bean that it calls. If only other"
                                + " objects call it, make it public there",
                        MethodDescriptions.describe(spec.method()),
                        template.getName());
            }
        }
    }

    /**
     * The superclass that may call the method. A final method runs on the proxy, so that the steps that it calls are
     * locked, as with Spring's {@code QuartzJobBean}.
     */
    private static @Nullable Class<?> templateOf(Method step) {
        Class<?> type = step.getDeclaringClass().getSuperclass();
        while (type != null && !declaresProtected(type, step)) {
            type = type.getSuperclass();
        }
        return type != null && Arrays.stream(type.getMethods()).anyMatch(TemplateSteps::runsOnTarget) ? type : null;
    }

    /** By the number of parameters, since their types may be variables of the superclass. */
    private static boolean declaresProtected(Class<?> type, Method step) {
        return Arrays.stream(type.getDeclaredMethods())
                .anyMatch(method -> Modifier.isProtected(method.getModifiers())
                        && method.getName().equals(step.getName())
                        && method.getParameterCount() == step.getParameterCount());
    }

    private static boolean runsOnTarget(Method method) {
        return (method.getModifiers() & (Modifier.FINAL | Modifier.ABSTRACT | Modifier.STATIC)) == 0
                && method.getDeclaringClass() != Object.class;
    }
}
