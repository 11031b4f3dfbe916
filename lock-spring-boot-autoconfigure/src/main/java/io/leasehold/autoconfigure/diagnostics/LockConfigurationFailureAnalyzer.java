package io.leasehold.autoconfigure.diagnostics;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.PropertyOrigin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Reports where the property of a {@link LockConfigurationException} was set, and the next step. Does not repeat its
 * value, because a misspelt name may be that of a password. Precedes Spring Boot's own analyzer of values that cannot be
 * bound, which knows neither place nor step.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
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
        return environment == null
                ? ""
                : PropertyOrigin.find(environment, property)
                        .map(found -> " It is set in " + found.getOrigin() + ".")
                        .orElse("");
    }
}
