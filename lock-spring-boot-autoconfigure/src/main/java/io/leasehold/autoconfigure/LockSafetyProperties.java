package io.leasehold.autoconfigure;

import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is done about a store whose settings make locks less safe than they could be.
 *
 * @param level What to do at start-up about what is found.
 * @param levels What to do about some findings instead, by their subject as the log and the actuator print it, such as
 *     lock.safety.levels.maxmemory-policy.
 * @param clockOffset Largest difference between the clocks of a store and of this machine that is no finding.
 * @param timeout Longest time to wait for a store to answer the health check, or a check that can fail the start.
 */
@ConfigurationProperties(prefix = "lock.safety", ignoreUnknownFields = false)
record LockSafetyProperties(
        @DefaultValue("warn") Level level,
        @DefaultValue Map<String, Level> levels,
        @DefaultValue("1s") Duration clockOffset,
        @DefaultValue("5s") Duration timeout) {

    /** Refuses a time in which no store can answer. */
    LockSafetyProperties {
        Setting.requirePositive(new Setting<>("lock.safety.timeout", timeout));
        Setting.requireNotNegative(new Setting<>("lock.safety.clock-offset", clockOffset));
        levels = Map.copyOf(levels);
    }

    /** What to do about a finding. One of a node of several is named as if it were of the store itself. */
    Level levelOf(SafetyFinding finding) {
        String subject = letters(finding.subject().substring(finding.subject().lastIndexOf(',') + 1));
        return levels.entrySet().stream()
                .filter(entry -> letters(entry.getKey()).equals(subject))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(level);
    }

    /** Whether there can be findings about which this is to be done. */
    boolean uses(Level some) {
        return level == some || levels.containsValue(some);
    }

    private static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** What to do about a finding. */
    enum Level {

        /** Nothing; the store is not asked. */
        OFF,

        /** Log a warning. */
        WARN,

        /** Fail the start. A store that cannot be reached does not fail it. */
        FAIL
    }
}
