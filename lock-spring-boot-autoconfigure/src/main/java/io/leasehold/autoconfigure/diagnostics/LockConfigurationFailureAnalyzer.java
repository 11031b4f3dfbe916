package io.leasehold.autoconfigure.diagnostics;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.PropertyOrigin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Reports where the property of a {@link LockConfigurationException} was set, and the next step. */
final class LockConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<LockConfigurationException> {

    private final @Nullable Environment environment;

    LockConfigurationFailureAnalyzer(@Nullable Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LockConfigurationException cause) {
        return new FailureAnalysis(cause.getMessage() + "." + origin(cause.property()), cause.nextStep(), cause);
    }

    private String origin(String property) {
        if (environment == null) {
            return "";
        }
        return PropertyOrigin.find(environment, property)
                .map(found -> " It is set " + value(property, found) + "in " + found.getOrigin() + ".")
                .orElse("");
    }

    /** Masks a URL, which may include a password. */
    private static String value(String property, ConfigurationProperty found) {
        return property.endsWith("password") || property.endsWith("url") ? "" : "to '" + found.getValue() + "' ";
    }
}
