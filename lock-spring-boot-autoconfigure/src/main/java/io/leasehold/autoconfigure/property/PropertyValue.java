package io.leasehold.autoconfigure.property;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

/**
 * A value and the property it comes from.
 *
 * @param property the property's name
 * @param value its value
 * @param <T> its type
 */
public record PropertyValue<T>(String property, T value) {

    private static final Duration LONGEST = Duration.ofDays(365);

    public LockConfigurationException refused(String expectation, String nextStep) {
        return new LockConfigurationException(property, value, expectation, nextStep);
    }

    public static void requireZeroToYear(PropertyValue<Duration> setting) {
        if (setting.value().isNegative() || setting.value().compareTo(LONGEST) > 0) {
            throw setting.refused("must be 0s to 365d", "Set it to a time in that range.");
        }
    }

    public static void requirePositive(PropertyValue<Duration> setting) {
        if (setting.value().toMillis() < 1 || setting.value().compareTo(LONGEST) > 0) {
            throw setting.refused("must be 1ms to 365d", "Set it to a time in that range, such as 30s.");
        }
    }

    /** Returns the text, or {@code null} if it is blank, as that of a placeholder with an empty default is. */
    public static @Nullable String orNull(@Nullable String text) {
        return StringUtils.hasText(text) ? text : null;
    }

    @Override
    public String toString() {
        return "'" + property + "' (" + print(value) + ")";
    }

    /** Formats a value as in a properties file. */
    public static String print(Object value) {
        return value instanceof Duration duration
                ? DurationFormatterUtils.print(duration, DurationFormat.Style.COMPOSITE)
                : "'" + value + "'";
    }
}
