package io.leasehold.autoconfigure.property;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;

/**
 * Rejects durations of locks without a unit. Spring Boot reads {@code ttl: 30} as 30 milliseconds; for a lock, seconds
 * are usually meant. Zero needs no unit. Also reports text that is not a duration, with the units that there are.
 */
public final class DurationUnitBindHandler extends AbstractBindHandler {

    private static final ConfigurationPropertyName LOCK = ConfigurationPropertyName.of("lock");

    private final Environment environment;

    public DurationUnitBindHandler(BindHandler parent, Environment environment) {
        super(parent);
        this.environment = environment;
    }

    @Override
    public @Nullable Object onSuccess(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        if (result instanceof Duration duration && !duration.isZero() && LOCK.isAncestorOf(name)) {
            requireUnit(name, context.getConfigurationProperty());
        }
        return super.onSuccess(name, target, context, result);
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (error instanceof ConversionException
                && property != null
                && target.getType().resolve() == Duration.class
                && LOCK.isAncestorOf(name)) {
            throw new LockConfigurationException(
                    name.toString(),
                    environment.resolvePlaceholders(String.valueOf(property.getValue())),
                    "is not a duration",
                    "Write a number and one of the units ms, s, m, h and d, such as '500ms' or '30s'.");
        }
        return super.onFailure(name, target, context, error);
    }

    private void requireUnit(ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
        if (property == null) {
            return;
        }
        String text = environment.resolvePlaceholders(String.valueOf(property.getValue()));
        if (text.strip().matches("[+-]?\\d+")) {
            throw new LockConfigurationException(
                    name.toString(),
                    text,
                    "has no unit",
                    "Write '" + text + "s' for seconds, or '" + text + "ms' for milliseconds.");
        }
    }
}
