package io.leasehold.autoconfigure.property;

import io.leasehold.event.LockEventType;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * What concerns all lockers.
 *
 * @param enabled Whether there are locks. If not, lock.disabled-mode says what lockers do instead.
 * @param disabledMode What lockers and annotated methods do while lock.enabled is false, when it is required.
 * @param namespace Beginning of the namespaces of all lockers that set none, to share no locks with other applications.
 * @param backend Store of all lockers that do not name their own. By default the only store that is configured.
 */
@ConfigurationProperties("lock")
public record LockProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable DisabledMode disabledMode,
        @Nullable String namespace,
        @Nullable String backend) {

    /** Takes an empty name for none. */
    public LockProperties {
        backend = StringUtils.hasText(backend) ? backend : null;
    }

    /** What is done instead of locking. */
    public enum DisabledMode {

        /** Every attempt to take a lock fails. */
        FAIL,

        /** Every lock is granted, to all callers at the same time. */
        RUN_UNLOCKED
    }

    /**
     * What lockers are set to unless they say otherwise. Checked together with each locker's own settings, by the
     * resolver of those.
     *
     * @param waitTime Longest time to wait for a lock. 0 tries once.
     * @param ttl Time to live of a lock in the store, renewed every third of it while the lock is held.
     * @param autoRenew Whether locks are renewed while they are held.
     * @param maxHoldTime Longest time a lock is held, however often it is renewed. By default unlimited.
     * @param minHoldTime Shortest time a lock stays taken, even if it is released earlier.
     * @param commandTimeout Longest time to wait for one answer of the store. By default 1s, or a sixth of the ttl if less.
     * @param maxLocalHandoffs How many times in a row, for 16 ms at most, a lock is passed on inside one process. 0 switches it off.
     */
    @ConfigurationProperties(prefix = "lock.defaults", ignoreUnknownFields = false)
    public record Defaults(
            @DefaultValue("10s") Duration waitTime,
            @DefaultValue("30s") Duration ttl,
            @DefaultValue("true") boolean autoRenew,
            @Nullable Duration maxHoldTime,
            @DefaultValue("0s") Duration minHoldTime,
            @Nullable Duration commandTimeout,
            @DefaultValue("64") int maxLocalHandoffs) {}

    /**
     * Which application events are published.
     *
     * @param publish Events to publish. Empty publishes none.
     */
    @ConfigurationProperties(prefix = "lock.events", ignoreUnknownFields = false)
    public record Events(@DefaultValue("lost") Set<LockEventType> publish) {}

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
    public record Safety(
            @DefaultValue("warn") Level level,
            @DefaultValue Map<String, Level> levels,
            @DefaultValue("1s") Duration clockOffset,
            @DefaultValue("5s") Duration timeout) {

        /** Refuses a time in which no store can answer. */
        public Safety {
            PropertyValue.requirePositive(new PropertyValue<>("lock.safety.timeout", timeout));
            PropertyValue.requireNotNegative(new PropertyValue<>("lock.safety.clock-offset", clockOffset));
            levels = Map.copyOf(levels);
        }

        /** What to do about a finding. One of a node of several is named as if it were of the store itself. */
        public Level levelOf(SafetyFinding finding) {
            String subject =
                    letters(finding.subject().substring(finding.subject().lastIndexOf(',') + 1));
            return levels.entrySet().stream()
                    .filter(entry -> letters(entry.getKey()).equals(subject))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(level);
        }

        /** Whether there can be findings about which this is to be done. */
        public boolean uses(Level some) {
            return level == some || levels.containsValue(some);
        }

        private static String letters(String name) {
            return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        }

        /** What to do about a finding. */
        public enum Level {

            /** Nothing; the store is not asked. */
            OFF,

            /** Log a warning. */
            WARN,

            /** Fail the start. A store that cannot be reached does not fail it. */
            FAIL
        }
    }

    /**
     * What happens to locks that are held when the application stops.
     *
     * @param timeout Longest time to wait for holders when the application stops, before their locks are released.
     */
    @ConfigurationProperties(prefix = "lock.shutdown", ignoreUnknownFields = false)
    public record Shutdown(@DefaultValue("500ms") Duration timeout) {

        /** Refuses a negative time. */
        public Shutdown {
            PropertyValue.requireNotNegative(new PropertyValue<>("lock.shutdown.timeout", timeout));
        }
    }

    /**
     * Meters.
     *
     * @param enabled Whether locks are metered, if a meter registry is there.
     */
    @ConfigurationProperties(prefix = "lock.metrics", ignoreUnknownFields = false)
    public record Metrics(@DefaultValue("true") boolean enabled) {}

    /**
     * The aspect that runs annotated methods under their locks.
     *
     * @param enabled Whether annotated methods are locked. If not, they run unlocked.
     * @param order Order among other advice; lower is further outside. Has to be lower than that of transactions.
     * @param mode How calls are intercepted.
     */
    @ConfigurationProperties(prefix = "lock.aspect", ignoreUnknownFields = false)
    public record Aspect(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("2147483547") int order,
            @DefaultValue("proxy") Mode mode) {

        /** How calls are intercepted. */
        public enum Mode {

            /** By Spring's proxies: calls from other beans. */
            PROXY,

            /** By load-time weaving with AspectJ's agent: also calls within an object. */
            ASPECTJ
        }
    }
}
