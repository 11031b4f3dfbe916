package io.leasehold.engine;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * A setting of a locker is out of range, or contradicts another one. The rules are those of {@link LockerSettings} and
 * of the requests on it; a caller that knows where the settings come from, such as the auto-configuration, can name
 * that place instead of the setting.
 */
public final class InvalidSettingException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final Setting setting;

    private final String expectation;

    private final String nextStep;

    InvalidSettingException(
            String locker, Setting setting, String expectation, String nextStep, Map<Setting, Object> values) {
        super("'" + setting + "' of locker '" + locker + "' "
                + fill(expectation, other -> "'" + other + "' (" + values.get(other) + ")") + ": " + values.get(setting)
                + ". " + nextStep);
        this.setting = setting;
        this.expectation = expectation;
        this.nextStep = nextStep;
    }

    /** Returns the setting with the invalid value. */
    public Setting setting() {
        return setting;
    }

    /**
     * Returns the expectation that the value does not meet.
     *
     * @param description describes another setting of the same rule, with its value
     * @return the rest of a sentence that begins with the setting
     */
    public String expectation(Function<Setting, String> description) {
        return fill(expectation, description);
    }

    /** Returns the recommended correction. */
    public String nextStep() {
        return nextStep;
    }

    private static String fill(String expectation, Function<Setting, String> description) {
        String filled = expectation;
        for (Setting other : Setting.values()) {
            String placeholder = "{" + other + "}";
            if (filled.contains(placeholder)) {
                filled = filled.replace(placeholder, description.apply(other));
            }
        }
        return filled;
    }

    /** The validated settings. Their text form is the one of properties, such as {@code max-hold-time}. */
    public enum Setting {

        /** {@link LockerSettings#waitTime()}. */
        WAIT_TIME,

        /** {@link LockerSettings#ttl()}. */
        TTL,

        /** {@link LockerSettings#autoRenew()}. */
        AUTO_RENEW,

        /** {@link LockerSettings#maxHoldTime()}. */
        MAX_HOLD_TIME,

        /** {@link LockerSettings#minHoldTime()}. */
        MIN_HOLD_TIME,

        /** {@link LockerSettings#commandTimeout()}. */
        COMMAND_TIMEOUT,

        /** {@link LockerSettings#maxLocalHandoffs()}. */
        MAX_LOCAL_HANDOFFS,

        /** {@link LockerSettings#longHoldThreshold()}. */
        LONG_HOLD_THRESHOLD,

        /** {@link LockerSettings#longWaitThreshold()}. */
        LONG_WAIT_THRESHOLD;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Checks single values; {@link LeaseTerms} checks the rules between them. */
    static final class Range {

        private static final Duration SHORTEST = Duration.ofMillis(1);

        /** The longest time of a setting. */
        static final Duration LONGEST = Duration.ofDays(365);

        private Range() {}

        static void requireNotNegative(String locker, Setting setting, Duration value) {
            if (value.isNegative()) {
                throw new InvalidSettingException(
                        locker, setting, "must not be negative", "Set it to 0 or more.", Map.of(setting, value));
            }
        }

        static void requireMillisToYear(String locker, Setting setting, Duration value) {
            if (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0) {
                throw new InvalidSettingException(
                        locker,
                        setting,
                        "must be 1ms to 365d",
                        "Set it to a time in that range, such as 30s.",
                        Map.of(setting, value));
            }
        }

        static void requireAtMost(String locker, Setting setting, int most, int value) {
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
