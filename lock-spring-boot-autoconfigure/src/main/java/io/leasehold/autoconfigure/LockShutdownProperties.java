package io.leasehold.autoconfigure;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What happens to locks that are held when the application stops.
 *
 * @param timeout Longest time to wait for holders when the application stops, before their locks are released.
 */
@ConfigurationProperties(prefix = "lock.shutdown", ignoreUnknownFields = false)
record LockShutdownProperties(@DefaultValue("500ms") Duration timeout) {

    /** Refuses a negative time. */
    LockShutdownProperties {
        Setting.requireNotNegative(new Setting<>("lock.shutdown.timeout", timeout));
    }
}
