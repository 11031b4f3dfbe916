package io.leasehold.autoconfigure;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value and the property it comes from: a locker's own, or that of the defaults.
 *
 * @param property the property's name
 * @param value its value
 * @param <T> its type
 */
record Setting<T>(String property, T value) {

    private static final Duration LONGEST = Duration.ofDays(365);

    static <T> Setting<T> of(LockerName locker, String name, @Nullable T own, T byDefault) {
        return own == null
                ? new Setting<>("lock.defaults." + name, byDefault)
                : new Setting<>(locker.property(name), own);
    }

    /** A setting that has no value unless somebody sets it. */
    static <T> @Nullable Setting<T> optional(LockerName locker, String name, @Nullable T own, @Nullable T byDefault) {
        if (own == null && byDefault == null) {
            return null;
        }
        return own == null
                ? new Setting<>("lock.defaults." + name, Objects.requireNonNull(byDefault))
                : new Setting<>(locker.property(name), own);
    }

    static <T> @Nullable T valueOf(@Nullable Setting<T> setting) {
        return setting == null ? null : setting.value();
    }

    LockConfigurationException refused(String expectation, String nextStep) {
        return new LockConfigurationException(property, value, expectation, nextStep);
    }

    static void requireNotNegative(Setting<Duration> setting) {
        if (setting.value().isNegative()) {
            throw setting.refused("must not be negative", "Set it to 0 or more.");
        }
    }

    static void requirePositive(@Nullable Setting<Duration> setting) {
        if (setting != null
                && (setting.value().toMillis() < 1 || setting.value().compareTo(LONGEST) > 0)) {
            throw setting.refused("must be 1ms to 365d", "Set it to a time in that range, such as 30s.");
        }
    }

    @Override
    public String toString() {
        return "'" + property + "' (" + Durations.print(value) + ")";
    }
}
