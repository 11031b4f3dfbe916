package io.leasehold.autoconfigure.diagnostics;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockPropertyNames;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
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
        ResolvableType bound = cause.getTarget().getType();
        LockConfigurationException unknown = bound.toClass().isRecord()
                ? LockPropertyNames.unknown(name, cause.getName(), propertiesOf(bound))
                // an entry of a list
                : LockPropertyNames.unknown(
                        name, name.chop(cause.getName().getNumberOfElements() + 1), propertiesOf(bound.getGeneric()));
        return analyzer.analyze(rootFailure, unknown);
    }

    private static List<String> propertiesOf(ResolvableType group) {
        return Arrays.stream(group.toClass().getRecordComponents())
                .map(component -> DataObjectPropertyName.toDashedForm(component.getName()))
                .toList();
    }
}
