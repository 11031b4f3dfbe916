package io.leasehold.autoconfigure;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockProperties.Aspect.Mode;
import java.util.Locale;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * Matches one kind of interception. The mode is read as it is bound, in every spelling. An unknown mode fails the
 * start, so that no value leaves annotated methods unlocked.
 */
abstract class OnAspectMode implements Condition {

    private static final String PROPERTY = "lock.aspect.mode";

    private final Mode mode;

    OnAspectMode(Mode mode) {
        this.mode = mode;
    }

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Mode chosen = chosen(context.getEnvironment());
        if (chosen == Mode.ASPECTJ && !ClassUtils.isPresent("org.aspectj.lang.Aspects", context.getClassLoader())) {
            throw new LockConfigurationException(
                    PROPERTY,
                    "aspectj",
                    "needs AspectJ, which is not on the class path",
                    "Add org.aspectj:aspectjweaver, or set 'lock.aspect.mode' to 'proxy'.");
        }
        return chosen == mode;
    }

    /** Fails if the mode was another one when the application was processed ahead of time. */
    static void requireAsProcessed(Environment environment, Mode mode) {
        Mode chosen = chosen(environment);
        if (chosen != mode) {
            throw new LockConfigurationException(
                    PROPERTY,
                    chosen.name().toLowerCase(Locale.ROOT),
                    "must have the value that it had when the application was processed ahead of time, '"
                            + mode.name().toLowerCase(Locale.ROOT) + "', because that decided how methods lock",
                    "Set it back, or process the application again.");
        }
    }

    private static Mode chosen(Environment environment) {
        return Binder.get(environment).bind(PROPERTY, Mode.class).orElse(Mode.PROXY);
    }

    /** By Spring's proxies. */
    static final class Proxies extends OnAspectMode {

        Proxies() {
            super(Mode.PROXY);
        }
    }

    /** By load-time weaving. */
    static final class Weaving extends OnAspectMode {

        Weaving() {
            super(Mode.ASPECTJ);
        }
    }
}
