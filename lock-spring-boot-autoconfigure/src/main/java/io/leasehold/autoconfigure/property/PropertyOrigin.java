package io.leasehold.autoconfigure.property;

import java.util.Optional;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/** Finds where a property was set, for messages. */
public final class PropertyOrigin {

    private PropertyOrigin() {}

    /** The property with its origin, such as a file with its line; empty if it is not set or the origin is unknown. */
    public static Optional<ConfigurationProperty> find(Environment environment, String property) {
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(property, '.');
        for (var source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty found = source.getConfigurationProperty(name);
            if (found != null && found.getOrigin() != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    /** The end of a sentence about a property: "set to 'x' in ...", without the value of a password or of URLs. */
    public static Optional<String> value(Environment environment, String property) {
        boolean isSecret = property.endsWith("password") || property.endsWith("url") || property.endsWith("endpoints");
        return find(environment, property)
                .map(found -> "set " + (isSecret ? "" : "to '" + found.getValue() + "' ") + "in " + found.getOrigin());
    }

    /** The end of a phrase about a property: " (set in ...)", or nothing. */
    public static String phrase(Environment environment, String property) {
        return find(environment, property)
                .map(found -> " (set in " + found.getOrigin() + ")")
                .orElse("");
    }
}
