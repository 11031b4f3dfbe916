package io.leasehold.engine;

import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A setting of a locker is out of range, or contradicts another one. The rules are those of {@link LockerSettings} and
 * of the requests on it; a caller that knows where the settings come from, such as the auto-configuration, can name
 * that place instead of the setting.
 */
public final class InvalidSettingException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z-]+)}");

    private final String setting;

    private final String expectation;

    private final String nextStep;

    InvalidSettingException(
            String locker, String setting, String expectation, String nextStep, Map<String, Object> values) {
        super("'" + setting + "' of locker '" + locker + "' "
                + fill(expectation, other -> "'" + other + "' (" + values.get(other) + ")") + ": " + values.get(setting)
                + ". " + nextStep);
        this.setting = setting;
        this.expectation = expectation;
        this.nextStep = nextStep;
    }

    /** Returns the setting with the invalid value, in the form of properties, such as {@code max-hold-time}. */
    public String setting() {
        return setting;
    }

    /**
     * Returns the expectation that the value does not meet.
     *
     * @param description describes another setting of the same rule, with its value
     * @return the rest of a sentence that begins with the setting
     */
    public String expectation(UnaryOperator<String> description) {
        return fill(expectation, description);
    }

    /** Returns the recommended correction. */
    public String nextStep() {
        return nextStep;
    }

    private static String fill(String expectation, UnaryOperator<String> description) {
        return PLACEHOLDER
                .matcher(expectation)
                .replaceAll(other -> Matcher.quoteReplacement(description.apply(other.group(1))));
    }

    /** Checks single values, if they are set; {@link LeaseTerms} checks the rules between them. */
    static final class Range {

        private static final Duration SHORTEST = Duration.ofMillis(1);

        /** The longest time of a setting. */
        static final Duration LONGEST = Duration.ofDays(365);

        private Range() {}

        static void requireNotNegative(String locker, String setting, @Nullable Duration value) {
            if (value != null && value.isNegative()) {
                throw new InvalidSettingException(
                        locker, setting, "must not be negative", "Set it to 0 or more.", Map.of(setting, value));
            }
        }

        static void requireZeroToYear(String locker, String setting, @Nullable Duration value) {
            if (value != null && (value.isNegative() || value.compareTo(LONGEST) > 0)) {
                throw new InvalidSettingException(
                        locker,
                        setting,
                        "must be 0s to 365d",
                        "Set it to a time in that range.",
                        Map.of(setting, value));
            }
        }

        static void requireMillisToYear(String locker, String setting, @Nullable Duration value) {
            if (value != null && (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0)) {
                throw new InvalidSettingException(
                        locker,
                        setting,
                        "must be 1ms to 365d",
                        "Set it to a time in that range, such as 30s.",
                        Map.of(setting, value));
            }
        }

        static void requireAtMost(String locker, String setting, int most, int value) {
            if (value < 0 || value > most) {
                throw new InvalidSettingException(
                        locker,
                        setting,
                        "must be 0 to " + most,
                        "Set it to 0 to switch hand-overs off.",
                        Map.of(setting, value));
            }
        }
    }
}
