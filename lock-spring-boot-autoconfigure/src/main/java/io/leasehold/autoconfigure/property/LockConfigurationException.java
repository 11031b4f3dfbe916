package io.leasehold.autoconfigure.property;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/** A configuration property, or a combination of several properties, is invalid. */
public final class LockConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** A refusal of a store's options or of Resilience4j: the field, with or without quotes, and what is required. */
    private static final Pattern OF_FIELD = Pattern.compile("(?s)'?([\\w-]+)'? ((?:must|needs|and) .*)");

    /** Another field that the requirement compares with. A quoted value follows a colon. */
    private static final Pattern OTHER_FIELD = Pattern.compile("(?<=and |than )'([a-z]\\w*)'");

    private static final Pattern DURATION = Pattern.compile("\\bPT[-0-9.HM]*[HMS]\\b");

    private final String property;

    private final String nextStep;

    /**
     * Creates the exception.
     *
     * @param property the property to look at, as it is written in a file
     * @param value its value, {@code null} if it is not set
     * @param expectation the requirement, as the end of a sentence that begins with the property
     * @param nextStep the next step, as a sentence
     */
    public LockConfigurationException(String property, @Nullable Object value, String expectation, String nextStep) {
        super("'" + property + "' " + expectation + (value == null ? "" : ": " + PropertyValue.print(value)));
        this.property = property;
        this.nextStep = nextStep;
    }

    /**
     * Refuses a property that is set to nothing.
     *
     * @param without what the property is left out for, as the end of a sentence
     */
    public static LockConfigurationException withoutValue(String property, String without) {
        return new LockConfigurationException(
                property,
                null,
                "has no value",
                "Set one, also for a placeholder in it, or leave the property out " + without + ".");
    }

    /**
     * Creates the options of a store from the properties under a prefix, and reports the property if one is rejected.
     *
     * @param options creates the options; throws an {@link IllegalArgumentException} that names field and value
     */
    public static <T> T refusing(String prefix, Supplier<T> options) {
        try {
            return options.get();
        } catch (IllegalArgumentException ex) {
            throw refused(prefix, String.valueOf(ex.getMessage()));
        }
    }

    private static LockConfigurationException refused(String prefix, String message) {
        Matcher refusal = OF_FIELD.matcher(message);
        if (!refusal.matches()) {
            return new LockConfigurationException(
                    prefix, null, "cannot be used: " + message, "Correct the property with that name.");
        }
        String expectation = DURATION.matcher(refusal.group(2))
                .replaceAll(duration -> PropertyValue.print(Duration.parse(duration.group())));
        return new LockConfigurationException(
                property(prefix, refusal.group(1)),
                null,
                OTHER_FIELD.matcher(expectation).replaceAll(field -> "'" + property(prefix, field.group(1)) + "'"),
                "Correct the value.");
    }

    private static String property(String prefix, String field) {
        return prefix + "." + DataObjectPropertyName.toDashedForm(field);
    }

    public String property() {
        return property;
    }

    public String nextStep() {
        return nextStep;
    }
}
