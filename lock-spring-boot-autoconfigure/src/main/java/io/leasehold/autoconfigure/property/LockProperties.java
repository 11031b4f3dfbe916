package io.leasehold.autoconfigure.property;

import io.leasehold.event.LockEventType;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.support.NearestName;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * Settings of the library as a whole.
 *
 * @param enabled Whether locking is enabled. If not, lock.disabled-mode is required.
 * @param disabledMode Behaviour of lockers and annotated methods while lock.enabled is false.
 * @param namespace Prefix of the namespaces of all lockers that set none. Separates the locks of applications that use
 *     one store.
 * @param backend Store of all lockers that do not name their own. By default, the only configured store.
 * @param maskKeys Whether a hash takes the place of each key in stores, handles, exceptions, events and log lines. All
 *     processes that share locks need the same value.
 * @param instanceName Name of this process as the holder of locks. By default, the application's name, the host and the
 *     process id.
 * @param reportHolder Whether the message of a lock that was not acquired names its holder, which takes one more read
 *     of the store.
 * @param leakDetection Whether a lock whose handle became unreachable before it was released is reported in the log.
 */
@ConfigurationProperties("lock")
public record LockProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable DisabledMode disabledMode,
        @Nullable String namespace,
        @Nullable String backend,
        @DefaultValue("false") boolean maskKeys,
        @Nullable String instanceName,
        @DefaultValue("true") boolean reportHolder,
        @DefaultValue("false") boolean leakDetection) {

    /** Treats an empty backend name as not set. */
    public LockProperties {
        backend = StringUtils.hasText(backend) ? backend : null;
    }

    /** Behaviour while locking is disabled. */
    public enum DisabledMode {

        /** Every acquisition fails. */
        FAIL,

        /** Every lock is granted, to all callers at the same time. */
        RUN_UNLOCKED
    }

    /**
     * Which application events are published.
     *
     * @param publish Events to publish. If empty, none are published.
     */
    @ConfigurationProperties(prefix = "lock.events", ignoreUnknownFields = false)
    public record Events(
            @DefaultValue({"lost", "force-released"}) Set<LockEventType> publish) {}

    /**
     * Taking locks from holders that do not end them.
     *
     * @param enabled Whether a lock may be taken from its holder, in code or through the endpoint.
     */
    @ConfigurationProperties(prefix = "lock.force-release", ignoreUnknownFields = false)
    public record ForceRelease(@DefaultValue("false") boolean enabled) {}

    /**
     * Reaction to store settings that make locks less safe.
     *
     * @param level Reaction to findings about a store. Only "fail" checks stores at start-up, others with the first
     *     lock.
     * @param levels Reaction to single kinds of findings, by their subject in the log and in the actuator, such as
     *     lock.safety.levels.maxmemory-policy.
     * @param clockOffset Largest difference between the clocks of a store and of this machine that is not reported.
     * @param timeout Longest time to wait for a store in the health check, and in a check that can fail the start.
     */
    @ConfigurationProperties(prefix = "lock.safety", ignoreUnknownFields = false)
    public record Safety(
            @DefaultValue("warn") Level level,
            @DefaultValue Map<String, Level> levels,
            @DefaultValue("1s") Duration clockOffset,
            @DefaultValue("5s") Duration timeout) {

        /** The subjects of the findings about stores, except for names of nodes and tables. */
        public static final List<String> SUBJECTS = List.of(
                "appendonly",
                "clock-offset",
                "cluster-enabled",
                "etcd",
                "fsync",
                "group_replication_single_primary_mode",
                "h2-in-memory",
                "innodb_flush_log_at_trx_commit",
                "maxmemory-policy",
                "min-replicas",
                "persists-every-write",
                "pg_is_in_recovery()",
                "pooler",
                "read_only",
                "role",
                "shortest-lease",
                "synchronous_commit",
                "synchronous_standby_names",
                "user",
                "wsrep_on");

        /** Rejects a timeout in which no store can answer. */
        public Safety {
            PropertyValue.requirePositive(new PropertyValue<>("lock.safety.timeout", timeout));
            PropertyValue.requireZeroToYear(new PropertyValue<>("lock.safety.clock-offset", clockOffset));
            levels = Map.copyOf(levels);
        }

        /** The level for a finding. A finding about one of several nodes has the level of that kind of finding. */
        public Level levelOf(SafetyFinding finding) {
            String subject =
                    letters(finding.subject().substring(finding.subject().lastIndexOf(',') + 1));
            return levels.entrySet().stream()
                    .filter(entry -> letters(entry.getKey()).equals(subject))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(level);
        }

        /** Whether the level applies to any finding. */
        public boolean uses(Level some) {
            return level == some || levels.containsValue(some);
        }

        /**
         * Rejects the misspelt name of a finding, which would be ignored. Findings about nodes and tables have other names
         * that are not known before they are made, so that only a name that is close to a known one is rejected.
         *
         * @throws LockConfigurationException if a name is close to that of a finding, and is not its name
         */
        public void requireKnownSubjects() {
            for (String name : levels.keySet()) {
                if (SUBJECTS.stream().noneMatch(subject -> letters(subject).equals(letters(name)))) {
                    NearestName.of(name, SUBJECTS).ifPresent(near -> {
                        throw new LockConfigurationException(
                                "lock.safety.levels." + name,
                                null,
                                "names no finding about a store",
                                "Did you mean 'lock.safety.levels." + near + "'? The findings are "
                                        + String.join(", ", SUBJECTS) + ".");
                    });
                }
            }
        }

        private static String letters(String name) {
            return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        }

        /** Reaction to a finding. */
        public enum Level {

            /** None; the store is not queried. */
            OFF,

            /** Log a warning. */
            WARN,

            /** Fail the start. A store that cannot be reached does not fail it. */
            FAIL
        }
    }

    /**
     * Handling of locks that are held when the application stops.
     *
     * @param timeout Longest time to wait for holders when the application stops, before their locks are released. By
     *     default 500ms, or as long as Spring is set to wait for tasks.
     */
    @ConfigurationProperties(prefix = "lock.shutdown", ignoreUnknownFields = false)
    public record Shutdown(@Nullable Duration timeout) {

        /** Rejects a negative time. */
        public Shutdown {
            if (timeout != null) {
                PropertyValue.requireZeroToYear(new PropertyValue<>("lock.shutdown.timeout", timeout));
            }
        }
    }

    /**
     * Meters.
     *
     * @param enabled Whether meters are registered, if there is a meter registry.
     */
    @ConfigurationProperties(prefix = "lock.metrics", ignoreUnknownFields = false)
    public record Metrics(@DefaultValue("true") boolean enabled) {}

    /**
     * Observations, which become traces.
     *
     * @param enabled Whether acquisitions and holds are observed, if there is an observation registry.
     * @param includeKey Whether observations have the locked key, as a value of high cardinality.
     */
    @ConfigurationProperties(prefix = "lock.observations", ignoreUnknownFields = false)
    public record Observations(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("false") boolean includeKey) {}

    /**
     * The aspect that runs annotated methods under their locks.
     *
     * @param enabled Whether annotated methods are locked. If not, they run without locks.
     * @param order Order among other advice; lower values are further outside. Has to be lower than the order of
     *     transactions.
     * @param mode How calls are intercepted.
     * @param executor Name of the Executor bean on which methods with a CompletableFuture run under their lock. By
     *     default, applicationTaskExecutor or the only TaskExecutor that is no scheduler.
     */
    @ConfigurationProperties(prefix = "lock.aspect", ignoreUnknownFields = false)
    public record Aspect(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("2147483547") int order,
            @DefaultValue("proxy") Mode mode,
            @Nullable String executor) {

        /** How calls are intercepted. */
        public enum Mode {

            /** By Spring's proxies: calls from other beans. */
            PROXY,

            /** By load-time weaving with AspectJ's agent: also calls within an object. */
            ASPECTJ
        }
    }
}
