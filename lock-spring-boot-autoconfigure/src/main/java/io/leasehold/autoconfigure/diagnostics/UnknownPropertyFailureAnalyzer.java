package io.leasehold.autoconfigure.diagnostics;

import io.leasehold.autoconfigure.property.LockPropertyNames;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Reports a property that a group below {@code lock} does not have, and the nearest one. Takes precedence over Boot's
 * message for unbound properties.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    private static final ConfigurationPropertyName LOCK = ConfigurationPropertyName.of("lock");

    private final LockConfigurationFailureAnalyzer analyzer;

    UnknownPropertyFailureAnalyzer(@Nullable Environment environment) {
        this.analyzer = new LockConfigurationFailureAnalyzer(environment);
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        if (!LOCK.isAncestorOf(cause.getName())
                || !(cause.getCause() instanceof UnboundConfigurationPropertiesException unbound)) {
            return null;
        }
        ConfigurationPropertyName name =
                unbound.getUnboundProperties().iterator().next().getName();
        return analyzer.analyze(
                rootFailure,
                LockPropertyNames.unknown(
                        name, cause.getName(), cause.getTarget().getType()));
    }
}
