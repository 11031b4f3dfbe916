package io.leasehold.autoconfigure.diagnostics;

import io.leasehold.aop.spec.LockAnnotations;
import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import io.leasehold.autoconfigure.property.PropertyOrigin;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Reports the method and attribute of a {@link LockDeclarationException}, the origin of the placeholders in the attribute,
 * and the next step.
 */
final class LockDeclarationFailureAnalyzer extends AbstractFailureAnalyzer<LockDeclarationException> {

    private static final List<String> WITH_PLACEHOLDERS =
            List.of("locker", "waitTime", "ttl", "autoRenew", "maxHoldTime", "minHoldTime");

    /** The name of a property, up to its default. A placeholder in a default or in a name matches by itself. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^:${}]+)[:}]");

    private final @Nullable Environment environment;

    LockDeclarationFailureAnalyzer(@Nullable Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LockDeclarationException cause) {
        String message = String.valueOf(cause.getMessage());
        String nextStep = cause.nextStep() + ".";
        String description = message.endsWith(nextStep)
                ? message.substring(0, message.length() - nextStep.length()).strip()
                : message;
        return new FailureAnalysis(description + origins(cause), nextStep, cause);
    }

    private String origins(LockDeclarationException cause) {
        Environment sources = environment;
        return sources == null
                ? ""
                : properties(cause).stream()
                        .map(property -> origin(sources, property, cause.problem()))
                        .collect(Collectors.joining());
    }

    private static String origin(Environment sources, String property, String problem) {
        return PropertyOrigin.value(sources, property)
                .map(value -> " '" + property + "' is " + value + ".")
                .orElse(problem.contains("'" + property + "'") ? "" : " '" + property + "' is not set.");
    }

    /** The properties in the placeholders of the attributes that the failure is about. */
    private static Set<String> properties(LockDeclarationException cause) {
        Set<String> properties = new LinkedHashSet<>();
        if (cause.kind() != Kind.TERMS && cause.kind() != Kind.LOCKER) {
            return properties;
        }
        addProperties(cause.value(), properties);
        LockAnnotations.find(cause.method(), cause.method().getDeclaringClass())
                .ifPresent(annotation -> WITH_PLACEHOLDERS.stream()
                        .filter(attribute -> isMentioned(attribute, cause.problem()))
                        .forEach(attribute -> addProperties(annotation.getString(attribute), properties)));
        return properties;
    }

    /** By the name of the attribute, or by that of the setting of lockers. */
    private static boolean isMentioned(String attribute, String problem) {
        return problem.contains("'" + attribute + "'")
                || problem.contains("'" + DataObjectPropertyName.toDashedForm(attribute) + "'");
    }

    private static void addProperties(String text, Set<String> properties) {
        PLACEHOLDER.matcher(text).results().forEach(found -> properties.add(found.group(1)));
    }
}
