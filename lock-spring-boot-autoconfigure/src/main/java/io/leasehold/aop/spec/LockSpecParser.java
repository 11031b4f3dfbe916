package io.leasehold.aop.spec;

import io.leasehold.LockHandle;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.expression.ParseException;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Reads an annotation into a spec, and rejects declarations that cannot work. */
final class LockSpecParser {

    /** Zero needs no unit. */
    private static final Pattern NUMBER = Pattern.compile("[+-]?0*[1-9]\\d*");

    private static final String NO_PLACEHOLDERS =
            "A key has no placeholders: write an expression over the parameters, as in \"#user.id\", and add what the"
                    + " environment decides in a LockKeyCustomizer";

    private final UnaryOperator<String> placeholders;

    /** Creates a parser that replaces <code>${...}</code> in attributes. */
    LockSpecParser(UnaryOperator<String> placeholders) {
        this.placeholders = placeholders;
    }

    LockSpec parse(MergedAnnotation<DistributedLock> annotation, Method method, Class<?> targetClass) {
        if (LockAnnotations.countAtPlaceOf(annotation) > 1) {
            throw LockDeclarationException.ambiguous(
                    method,
                    "several annotations ask for a lock, but a call takes one lock",
                    "Keep one of them. For several keys let the key be a list; for several lockers call another bean that"
                            + " takes the other lock");
        }
        if (LockAnnotations.hasRival(annotation, method, targetClass)) {
            throw LockDeclarationException.ambiguous(
                    method,
                    "several interfaces, or an interface and a superclass, declare it with different locks, but a call"
                            + " takes one lock",
                    "Annotate the method of the class, which then holds for calls through any of them");
        }
        requireAliases(annotation, method);
        DistributedLock lock = annotation.synthesize();
        LockKeyExpression key = key(lock, method, annotated(annotation, method));
        ResultKind result = ResultKind.of(method, targetClass);
        LockSpec spec = new LockSpec(
                method,
                locker(lock, method),
                key,
                terms(lock, method),
                lock.onFailure(),
                lock.onLost(),
                Fallback.find(lock.fallbackMethod(), method, targetClass),
                handles(method),
                result,
                result.valueType(method, targetClass));
        requireSkippable(spec);
        return spec;
    }

    /** Spring merges no attributes by their names alone, so that one without an alias would have no effect. */
    private static void requireAliases(MergedAnnotation<DistributedLock> annotation, Method method) {
        MergedAnnotation<?> composed = annotation.getMetaSource();
        while (composed != null) {
            Class<?> type = composed.getType();
            for (String attribute : LockAnnotations.unaliased(type)) {
                throw LockDeclarationException.withoutAlias(
                        method,
                        attribute,
                        composed.getValue(attribute).map(String::valueOf).orElse(""),
                        "the attribute '" + attribute + "' of @" + type.getSimpleName()
                                + " has no effect, because it is not an alias of that of @DistributedLock",
                        "Add @AliasFor(annotation = DistributedLock.class) to the attribute, or rename it");
            }
            composed = composed.getMetaSource();
        }
    }

    /** Where a method takes handles. */
    private static List<Integer> handles(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return IntStream.range(0, types.length)
                .filter(index -> types[index] == LockHandle.class)
                .boxed()
                .toList();
    }

    private static void requireSkippable(LockSpec spec) {
        Fallback fallback = spec.fallback();
        boolean falls = fallback != null && fallback.handles().isAssignableFrom(LockNotAcquiredException.class);
        if (spec.onFailure() != OnFailure.SKIP || falls) {
            return;
        }
        if (spec.result().isNeverNull(spec.method(), spec.valueType())) {
            throw LockDeclarationException.unsupportedResult(
                    spec.method(),
                    "onFailure",
                    "SKIP",
                    "its result is declared to be never null, but a call that is skipped returns null",
                    "Declare the result nullable, or return an Optional" + alternatives(spec.method()));
        }
        if (spec.result() == ResultKind.PRIMITIVE) {
            throw LockDeclarationException.unsupportedResult(
                    spec.method(),
                    "onFailure",
                    "SKIP",
                    "it returns " + spec.method().getReturnType() + ", which cannot say that the call was skipped",
                    "Return an Optional or an object" + alternatives(spec.method()));
        }
    }

    /** What else there is than another result. An annotation that always skips has no such attributes. */
    private static String alternatives(Method method) {
        Class<?> annotation = LockAnnotations.declared(method);
        boolean suspends = MethodDescriptions.isSuspending(method);
        return (suspends || !LockAnnotations.hasAttribute(annotation, "fallbackMethod")
                        ? ""
                        : "; or name a fallbackMethod")
                + (LockAnnotations.hasAttribute(annotation, "onFailure") ? "; or use onFailure = THROW" : "")
                + (suspends && LockAnnotations.hasAttribute(annotation, "onFailure")
                        ? " and catch LockNotAcquiredException where the function is called"
                        : "");
    }

    private static Method annotated(MergedAnnotation<DistributedLock> annotation, Method method) {
        return annotation.getRoot().getSource() instanceof Method source
                        && source.getParameterCount() == method.getParameterCount()
                ? source
                : method;
    }

    private static LockKeyExpression key(DistributedLock lock, Method method, Method annotated) {
        String text = lock.key();
        if (text.isBlank()) {
            throw LockDeclarationException.invalidKey(
                    method,
                    text,
                    "there is no key",
                    "Set key to what is to be locked, such as \"#id\" or \"'report'\"",
                    null);
        }
        try {
            return LockKeyExpression.parse(text, LockKeyParameters.of(method, annotated));
        } catch (ParseException ex) {
            throw LockDeclarationException.invalidKey(
                    method,
                    text,
                    "the key is not a valid expression: " + ex.getSimpleMessage() + " (at position " + ex.getPosition()
                            + ")",
                    correctionOf(text),
                    ex);
        } catch (IllegalArgumentException ex) {
            throw LockDeclarationException.invalidKey(
                    method,
                    text,
                    "the key cannot work: " + ex.getMessage(),
                    text.contains("${") ? NO_PLACEHOLDERS : "Correct the expression",
                    ex);
        }
    }

    private static String correctionOf(String text) {
        if (text.contains("#{")) {
            return "A key is an expression and no template: write it without #{...}, as in \"#user.id\" or"
                    + " \"'user-' + #user.id\"";
        }
        if (text.contains("${")) {
            return NO_PLACEHOLDERS;
        }
        return "Correct the expression; text needs quotes of its own, as in \"'report'\"";
    }

    private String locker(DistributedLock lock, Method method) {
        String name;
        try {
            name = resolve(lock.locker());
        } catch (IllegalArgumentException ex) {
            throw LockDeclarationException.unknownLocker(
                    method,
                    lock.locker(),
                    String.valueOf(ex.getMessage()),
                    "Define the property, or name the locker itself");
        }
        if (name.isBlank()) {
            throw LockDeclarationException.unknownLocker(
                    method,
                    lock.locker(),
                    lock.locker().isBlank()
                            ? "there is no locker without a name"
                            : "its placeholder has an empty value",
                    lock.locker().isBlank()
                            ? "Leave the attribute out for 'default'"
                            : "Set the name of a locker, or leave the attribute out for 'default'");
        }
        return name;
    }

    private LockRequest terms(DistributedLock lock, Method method) {
        try {
            return new LockRequest(
                    lock.key(),
                    duration(method, "waitTime", lock.waitTime()),
                    duration(method, "ttl", lock.ttl()),
                    flag(method, "autoRenew", lock.autoRenew()),
                    duration(method, "maxHoldTime", lock.maxHoldTime()),
                    duration(method, "minHoldTime", lock.minHoldTime()));
        } catch (IllegalArgumentException ex) {
            String message = String.valueOf(ex.getMessage());
            String attribute = message.startsWith("'") ? message.substring(1, message.indexOf('\'', 1)) : "";
            throw LockDeclarationException.invalidTerms(
                    method, attribute, asWritten(lock, attribute), message, "Change one of the values", ex);
        }
    }

    private static String asWritten(DistributedLock lock, String attribute) {
        return switch (attribute) {
            case "waitTime" -> lock.waitTime();
            case "ttl" -> lock.ttl();
            case "maxHoldTime" -> lock.maxHoldTime();
            case "minHoldTime" -> lock.minHoldTime();
            default -> "";
        };
    }

    private @Nullable Duration duration(Method method, String attribute, String text) {
        String resolved = resolve(method, attribute, text);
        if (resolved.isEmpty()) {
            return null;
        }
        if (NUMBER.matcher(resolved).matches()) {
            // other libraries have -1 for a default or for renewal, and no unit makes it a duration
            if (resolved.startsWith("-")) {
                throw LockDeclarationException.invalidTerms(
                        method,
                        attribute,
                        text,
                        "'" + resolved + "' is negative",
                        "Leave it out for the value of the locker",
                        null);
            }
            throw LockDeclarationException.invalidTerms(
                    method,
                    attribute,
                    text,
                    "'" + resolved + "' has no unit",
                    "Write \"" + resolved + "s\" for seconds or \"" + resolved + "ms\" for milliseconds",
                    null);
        }
        try {
            return DurationFormatterUtils.detectAndParse(resolved);
        } catch (IllegalArgumentException ex) {
            throw LockDeclarationException.invalidTerms(
                    method,
                    attribute,
                    text,
                    "'" + resolved + "' is not a duration",
                    "Write it like \"500ms\", \"30s\" or \"PT30S\"",
                    ex);
        }
    }

    private @Nullable Boolean flag(Method method, String attribute, String text) {
        String resolved = resolve(method, attribute, text);
        return switch (resolved.toLowerCase(Locale.ROOT)) {
            case "" -> null;
            case "true" -> true;
            case "false" -> false;
            default ->
                throw LockDeclarationException.invalidTerms(
                        method,
                        attribute,
                        text,
                        "'" + resolved + "' is neither true nor false",
                        "Write \"true\" or \"false\", or leave the attribute out for what the locker says",
                        null);
        };
    }

    /**
     * Replaces the placeholders of a term. An attribute that is empty as it is written is left to the locker, but a
     * placeholder that gives nothing is a mistake, as it is in the configuration of lockers.
     */
    private String resolve(Method method, String attribute, String text) {
        try {
            String resolved = resolve(text);
            if (resolved.isEmpty() && !text.isBlank()) {
                throw LockDeclarationException.invalidTerms(
                        method,
                        attribute,
                        text,
                        "its placeholder has an empty value",
                        "Set a value, or leave the attribute out for the value of the locker",
                        null);
            }
            return resolved;
        } catch (IllegalArgumentException ex) {
            throw LockDeclarationException.invalidTerms(
                    method,
                    attribute,
                    text,
                    String.valueOf(ex.getMessage()),
                    "Define the property, or give it a default as in \"${name:30s}\"",
                    ex);
        }
    }

    /**
     * Replaces the placeholders of a text.
     *
     * @throws IllegalArgumentException if one of them has no value
     */
    private String resolve(String text) {
        String resolved = placeholders.apply(text).strip();
        if (resolved.contains("${")) {
            throw new IllegalArgumentException("there is no value for the placeholder '" + resolved + "'");
        }
        return resolved;
    }
}
