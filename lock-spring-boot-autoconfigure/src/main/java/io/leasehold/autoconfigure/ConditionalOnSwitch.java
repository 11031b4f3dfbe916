package io.leasehold.autoconfigure;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Locale;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if a property that switches locks on or off has a certain value. A property that is not set is on. Every
 * spelling that Spring binds to a boolean is accepted, and any other value fails the start. With
 * {@code @ConditionalOnBooleanProperty}, a value such as {@code yes} would match neither the configuration with locks
 * nor the one without, and annotated methods would run unlocked.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnSwitch.OnSwitch.class)
@interface ConditionalOnSwitch {

    /** Switches the interception of annotated methods. */
    String ASPECT_ENABLED = "lock.aspect.enabled";

    /** The property. */
    String value();

    /** Whether it has to be on. */
    boolean on() default true;

    /** Reads the property as it is bound. */
    final class OnSwitch implements Condition {

        private static final Set<String> ON = Set.of("true", "on", "yes", "1");

        private static final Set<String> OFF = Set.of("false", "off", "no", "0");

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            // the first of ours to read a property: a context that Spring Boot has not started has only the sources
            // that
            // its parent attached, which do not contain its own
            ConfigurationPropertySources.attach(context.getEnvironment());
            MergedAnnotation<?> annotation = metadata.getAnnotations().get(ConditionalOnSwitch.class);
            String property = annotation.getString("value");
            return isOn(property, value(context.getEnvironment(), property)) == annotation.getBoolean("on");
        }

        /** Fails if the switch was on, or off, when the application was processed ahead of time, and is not any more. */
        static void requireAsProcessed(Environment environment, String property, boolean on) {
            String value = value(environment, property);
            if (isOn(property, value) != on) {
                throw new LockConfigurationException(
                        property,
                        value,
                        "must have the value that it had when the application was processed ahead of time, '" + on
                                + "', because that decided which methods lock",
                        "Set it back, or process the application again.");
            }
        }

        private static String value(Environment environment, String property) {
            return Binder.get(environment).bind(property, String.class).orElse("true");
        }

        private static boolean isOn(String property, String value) {
            String text = value.trim().toLowerCase(Locale.ROOT);
            if (!ON.contains(text) && !OFF.contains(text)) {
                throw new LockConfigurationException(
                        property, value, "must be true or false", "Correct it, or remove it: it is true by default.");
            }
            return ON.contains(text);
        }
    }
}
