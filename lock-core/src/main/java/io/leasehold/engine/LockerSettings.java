package io.leasehold.engine;

import io.leasehold.engine.InvalidSettingException.Range;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a locker, from which a request takes its unset terms.
 *
 * @param name the locker's name
 * @param namespace the namespace of its keys
 * @param waitTime the maximum time that a caller waits for a lock
 * @param ttl how long the store keeps a lock without a renewal
 * @param autoRenew whether locks are renewed automatically while they are held
 * @param maxHoldTime the maximum time for which a lock is held, {@code null} for no limit
 * @param minHoldTime the minimum time for which a lock stays taken
 * @param commandTimeout the maximum time to wait for one answer of the store; {@code null} for one second, or a sixth
 *     of the ttl if that is less
 * @param maxLocalHandoffs how many consecutive times a lock is handed over inside this process before other processes
 *     can acquire it; they can in any case after 16 ms, or two round trips to the store if those take longer, but at
 *     most 100 ms, and if another process has passed the lock on, after each caller that waited was served once
 * @param longHoldThreshold after which time a hold is reported in the log, once; {@code null} or zero for never
 * @param longWaitThreshold after which time a waiting caller is reported in the log, once; {@code null} or zero for
 *     never
 * @param reportHolder whether the message of a lock that was not acquired names its holder, which costs one read of the
 *     store
 * @param forceRelease whether {@link io.leasehold.Locker#forceRelease} is permitted
 */
public record LockerSettings(
        String name,
        String namespace,
        Duration waitTime,
        Duration ttl,
        boolean autoRenew,
        @Nullable Duration maxHoldTime,
        Duration minHoldTime,
        @Nullable Duration commandTimeout,
        int maxLocalHandoffs,
        @Nullable Duration longHoldThreshold,
        @Nullable Duration longWaitThreshold,
        boolean reportHolder,
        boolean forceRelease) {

    /** The default of {@link #waitTime()}. */
    public static final Duration DEFAULT_WAIT_TIME = Duration.ofSeconds(10);

    /** The default of {@link #ttl()}. */
    public static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

    /** The default of {@link #maxLocalHandoffs()}. */
    public static final int DEFAULT_MAX_LOCAL_HANDOFFS = 64;

    private static final int MOST_LOCAL_HANDOFFS = 255;

    /**
     * Refuses values that are out of range or contradict each other.
     *
     * @throws InvalidSettingException names the locker, the setting and its value
     */
    public LockerSettings {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a locker's 'name' must not be blank: '" + name + "'");
        }
        Range.requireNotNegative(name, "wait-time", waitTime);
        Range.requireAtMost(name, "max-local-handoffs", MOST_LOCAL_HANDOFFS, maxLocalHandoffs);
        Range.requireZeroToYear(name, "long-hold-threshold", longHoldThreshold);
        Range.requireZeroToYear(name, "long-wait-threshold", longWaitThreshold);
        LeaseTerms.of(name, ttl, autoRenew, maxHoldTime, minHoldTime, commandTimeout);
    }

    /**
     * Creates settings with all defaults.
     *
     * @param name the locker's name, also its namespace
     */
    public static LockerSettings of(String name) {
        return new LockerSettings(
                name,
                name,
                DEFAULT_WAIT_TIME,
                DEFAULT_TTL,
                true,
                null,
                Duration.ZERO,
                null,
                DEFAULT_MAX_LOCAL_HANDOFFS,
                null,
                null,
                true,
                false);
    }

    /**
     * Returns these settings with another namespace.
     *
     * @param namespace the namespace of the locker's keys
     */
    public LockerSettings withNamespace(String namespace) {
        return with(copy -> copy.namespace = namespace);
    }

    /**
     * Returns these settings with another ttl.
     *
     * @param ttl how long the store keeps a lock without a renewal
     */
    public LockerSettings withTtl(Duration ttl) {
        return with(copy -> copy.ttl = ttl);
    }

    /**
     * Returns these settings with another wait time.
     *
     * @param waitTime the maximum time that a caller waits for a lock
     */
    public LockerSettings withWaitTime(Duration waitTime) {
        return with(copy -> copy.waitTime = waitTime);
    }

    /**
     * Returns these settings with automatic renewal switched on or off.
     *
     * @param autoRenew whether locks are renewed automatically while they are held
     */
    public LockerSettings withAutoRenew(boolean autoRenew) {
        return with(copy -> copy.autoRenew = autoRenew);
    }

    /**
     * Returns these settings with another maximum hold time.
     *
     * @param maxHoldTime the maximum time for which a lock is held, {@code null} for no limit
     */
    public LockerSettings withMaxHoldTime(@Nullable Duration maxHoldTime) {
        return with(copy -> copy.maxHoldTime = maxHoldTime);
    }

    /**
     * Returns these settings with another minimum hold time.
     *
     * @param minHoldTime the minimum time for which a lock stays taken
     */
    public LockerSettings withMinHoldTime(Duration minHoldTime) {
        return with(copy -> copy.minHoldTime = minHoldTime);
    }

    /**
     * Returns these settings with another command timeout.
     *
     * @param commandTimeout the maximum time to wait for one answer of the store, {@code null} for the default
     */
    public LockerSettings withCommandTimeout(@Nullable Duration commandTimeout) {
        return with(copy -> copy.commandTimeout = commandTimeout);
    }

    /**
     * Returns these settings with another limit of local hand-overs.
     *
     * @param maxLocalHandoffs how many consecutive times a lock is handed over inside this process; 0 for never
     */
    public LockerSettings withMaxLocalHandoffs(int maxLocalHandoffs) {
        return with(copy -> copy.maxLocalHandoffs = maxLocalHandoffs);
    }

    /**
     * Returns these settings with thresholds for the log.
     *
     * @param longHold after which time a hold is reported; {@code null} for never
     * @param longWait after which time a waiting caller is reported; {@code null} for never
     */
    public LockerSettings withThresholds(@Nullable Duration longHold, @Nullable Duration longWait) {
        return with(copy -> {
            copy.longHoldThreshold = longHold;
            copy.longWaitThreshold = longWait;
        });
    }

    /**
     * Returns these settings with the report of holders switched on or off.
     *
     * @param reportHolder whether the message of a lock that was not acquired names its holder
     */
    public LockerSettings withReportHolder(boolean reportHolder) {
        return with(copy -> copy.reportHolder = reportHolder);
    }

    /**
     * Returns these settings with forced releases permitted or refused.
     *
     * @param forceRelease whether {@link io.leasehold.Locker#forceRelease} is permitted
     */
    public LockerSettings withForceRelease(boolean forceRelease) {
        return with(copy -> copy.forceRelease = forceRelease);
    }

    private LockerSettings with(Consumer<Copy> change) {
        Copy copy = new Copy();
        change.accept(copy);
        return copy.settings();
    }

    /** These values, of which one is about to change. */
    private final class Copy {

        private String namespace = LockerSettings.this.namespace;

        private Duration waitTime = LockerSettings.this.waitTime;

        private Duration ttl = LockerSettings.this.ttl;

        private boolean autoRenew = LockerSettings.this.autoRenew;

        private @Nullable Duration maxHoldTime = LockerSettings.this.maxHoldTime;

        private Duration minHoldTime = LockerSettings.this.minHoldTime;

        private @Nullable Duration commandTimeout = LockerSettings.this.commandTimeout;

        private int maxLocalHandoffs = LockerSettings.this.maxLocalHandoffs;

        private @Nullable Duration longHoldThreshold = LockerSettings.this.longHoldThreshold;

        private @Nullable Duration longWaitThreshold = LockerSettings.this.longWaitThreshold;

        private boolean reportHolder = LockerSettings.this.reportHolder;

        private boolean forceRelease = LockerSettings.this.forceRelease;

        private LockerSettings settings() {
            return new LockerSettings(
                    name,
                    namespace,
                    waitTime,
                    ttl,
                    autoRenew,
                    maxHoldTime,
                    minHoldTime,
                    commandTimeout,
                    maxLocalHandoffs,
                    longHoldThreshold,
                    longWaitThreshold,
                    reportHolder,
                    forceRelease);
        }
    }
}
