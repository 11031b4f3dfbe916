package io.leasehold.autoconfigure.property;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A configuration property, or a combination of several properties, is invalid. */
public final class LockConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

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
     * Creates the options of a store from the properties under a prefix, and reports the prefix if they are rejected.
     *
     * @param options creates the options; throws an {@link IllegalArgumentException} that names field and value
     */
    public static <T> T refusing(String prefix, Supplier<T> options) {
        try {
            return options.get();
        } catch (IllegalArgumentException ex) {
            throw new LockConfigurationException(
                    prefix, null, "cannot be used: " + ex.getMessage(), "Correct the property with that name.");
        }
    }

    public String property() {
        return property;
    }

    public String nextStep() {
        return nextStep;
    }
}
