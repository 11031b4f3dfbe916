package io.leasehold.aop;

import io.leasehold.annotation.DistributedLock;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Reads the durations and switches of an annotation. */
final class LockTermsParser {

    /** Zero needs no unit. */
    private static final Pattern NUMBER = Pattern.compile("[+-]?0*[1-9]\\d*");

    private final Placeholders placeholders;

    LockTermsParser(Placeholders placeholders) {
        this.placeholders = placeholders;
    }

    LockTerms parse(DistributedLock lock, Method method) {
        LockTerms terms = new LockTerms(
                duration(method, "waitTime", lock.waitTime()),
                duration(method, "ttl", lock.ttl()),
                flag(method, "autoRenew", lock.autoRenew()),
                duration(method, "maxHoldTime", lock.maxHoldTime()),
                duration(method, "minHoldTime", lock.minHoldTime()));
        requireConsistent(terms, lock.key(), method);
        return terms;
    }

    private static void requireConsistent(LockTerms terms, String key, Method method) {
        try {
            terms.request(key);
        } catch (IllegalArgumentException ex) {
            String message = String.valueOf(ex.getMessage());
            String attribute = message.startsWith("'") ? message.substring(1, message.indexOf('\'', 1)) : "";
            throw new InvalidLockTermsException(
                    method, attribute, value(terms, attribute), message, "Change one of the values", ex);
        }
    }

    private static String value(LockTerms terms, String attribute) {
        Duration value = switch (attribute) {
            case "waitTime" -> terms.waitTime();
            case "ttl" -> terms.ttl();
            case "maxHoldTime" -> terms.maxHoldTime();
            case "minHoldTime" -> terms.minHoldTime();
            default -> null;
        };
        return value == null ? "" : value.toString();
    }

    private @Nullable Duration duration(Method method, String attribute, String text) {
        String resolved = resolve(method, attribute, text);
        if (resolved.isEmpty()) {
            return null;
        }
        if (NUMBER.matcher(resolved).matches()) {
            throw new InvalidLockTermsException(
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
            throw new InvalidLockTermsException(
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
                throw new InvalidLockTermsException(
                        method,
                        attribute,
                        text,
                        "'" + resolved + "' is neither true nor false",
                        "Write \"true\" or \"false\", or leave the attribute out for what the locker says",
                        null);
        };
    }

    private String resolve(Method method, String attribute, String text) {
        try {
            return placeholders.resolve(text);
        } catch (IllegalArgumentException ex) {
            throw new InvalidLockTermsException(
                    method,
                    attribute,
                    text,
                    String.valueOf(ex.getMessage()),
                    "Define the property, or give it a default as in \"${name:30s}\"",
                    ex);
        }
    }
}
