package io.leasehold.autoconfigure;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is done about a store whose settings make locks less safe than they could be.
 *
 * @param level What to do at start-up about what is found.
 * @param timeout Longest time to wait for a store to answer the health check, or a check that can fail the start.
 */
@ConfigurationProperties(prefix = "lock.safety", ignoreUnknownFields = false)
record LockSafetyProperties(
        @DefaultValue("warn") Level level,
        @DefaultValue("5s") Duration timeout) {

    /** Refuses a time in which no store can answer. */
    LockSafetyProperties {
        Setting.requirePositive(new Setting<>("lock.safety.timeout", timeout));
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
