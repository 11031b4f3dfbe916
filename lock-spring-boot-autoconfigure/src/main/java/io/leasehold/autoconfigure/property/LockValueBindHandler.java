package io.leasehold.autoconfigure.property;

import io.leasehold.support.NearestName;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Rejects durations of locks without a unit, and placeholders without a value. Spring Boot reads {@code ttl: 30} as 30
 * milliseconds; for a lock, seconds are usually meant. Zero needs no unit. Also reports a value of another type than that
 * of its property, with the values that there are.
 */
public final class LockValueBindHandler extends AbstractBindHandler {

    private static final ConfigurationPropertyName LOCK = ConfigurationPropertyName.of("lock");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^:${}]+)[:}]");

    private final Environment environment;

    public LockValueBindHandler(BindHandler parent, Environment environment) {
        super(parent);
        this.environment = environment;
    }

    @Override
    public @Nullable Object onSuccess(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        if (result instanceof Duration duration && !duration.isZero() && LOCK.isAncestorOf(name)) {
            requireUnit(name, context.getConfigurationProperty());
        }
        // a password may contain the characters of a placeholder
        if (result instanceof String text
                && LOCK.isAncestorOf(name)
                && !name.toString().endsWith("password")) {
            requireResolved(name.toString(), text);
        }
        return super.onSuccess(name, target, context, result);
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        // a group that has a value besides its properties is not at fault, and neither is an entry without settings
        if (error instanceof ConversionException && context.getDepth() > 0 && LOCK.isAncestorOf(name)) {
            ConfigurationProperty property = find(name, context);
            ResolvableType type = target.getType();
            Class<?> element = type.asCollection() == ResolvableType.NONE
                    ? type.toClass()
                    : type.asCollection().resolveGeneric();
            if (property != null && element != null) {
                String text = environment.resolvePlaceholders(String.valueOf(property.getValue()));
                requireType(
                        name.toString(),
                        text,
                        ClassUtils.resolvePrimitiveIfNecessary(element),
                        type.asCollection() != ResolvableType.NONE);
            }
        }
        return super.onFailure(name, target, context, error);
    }

    private static @Nullable ConfigurationProperty find(ConfigurationPropertyName name, BindContext context) {
        for (ConfigurationPropertySource source : context.getSources()) {
            ConfigurationProperty found = source.getConfigurationProperty(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static void requireType(String name, String text, Class<?> type, boolean isList) {
        if (text.isBlank()) {
            throw LockConfigurationException.withoutValue(name, "for its default");
        }
        requireResolved(name, text);
        if (type == Duration.class) {
            throw new LockConfigurationException(
                    name,
                    text,
                    "is not a duration",
                    "Write a number and one of the units ms, s, m, h and d, such as '500ms' or '30s'.");
        }
        if (type == Boolean.class) {
            throw new LockConfigurationException(
                    name, text, "must be true or false", "Correct it, or leave the property out for its default.");
        }
        if (Number.class.isAssignableFrom(type)) {
            throw new LockConfigurationException(
                    name,
                    text,
                    type == Integer.class ? "must be a whole number" : "must be a number",
                    "Correct it, or leave the property out for its default.");
        }
        if (type == URI.class) {
            throw new LockConfigurationException(
                    name,
                    text.replaceFirst("(?s)^(\\w+://)?.*@", "$1***@"),
                    "is not a URL",
                    "Write a scheme, a host and a port, such as http://localhost:2379.");
        }
        if (type.isEnum()) {
            List<String> allowed = Arrays.stream(type.getEnumConstants())
                    .map(one -> String.valueOf(one).toLowerCase(Locale.ROOT).replace('_', '-'))
                    .toList();
            throw new LockConfigurationException(
                    name,
                    text,
                    "must be one of " + String.join(", ", allowed),
                    NearestName.of(text, allowed)
                            .map(near -> "Did you mean '" + near + "'?")
                            .orElse("Correct it, or leave the property out for its default."));
        }
        if (type.isRecord()) {
            throw new LockConfigurationException(
                    name,
                    null,
                    "cannot have a value, since it is " + (isList ? "a list of groups" : "a group") + " of properties",
                    "Set one of " + (isList ? "the properties of '" + name + "[0]'" : "its properties") + ": "
                            + String.join(", ", LockPropertyNames.of(type)) + ".");
        }
    }

    /** Spring Boot binds a placeholder that it cannot resolve as it is written. */
    private static void requireResolved(String name, String text) {
        Matcher placeholder = PLACEHOLDER.matcher(text);
        if (placeholder.find()) {
            throw new LockConfigurationException(
                    name,
                    null,
                    "has a placeholder without a value",
                    "Set '" + placeholder.group(1) + "', or write the value itself.");
        }
    }

    private void requireUnit(ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
        if (property == null) {
            return;
        }
        String text = environment.resolvePlaceholders(String.valueOf(property.getValue()));
        if (text.strip().matches("-\\d+")) {
            throw new LockConfigurationException(
                    name.toString(), text, "is negative", "Leave the property out for its default.");
        }
        if (text.strip().matches("[+]?\\d+")) {
            throw new LockConfigurationException(
                    name.toString(),
                    text,
                    "has no unit",
                    "Write '" + text + "s' for seconds, or '" + text + "ms' for milliseconds.");
        }
    }
}
