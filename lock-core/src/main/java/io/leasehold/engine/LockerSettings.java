package io.leasehold.engine;

import io.leasehold.engine.InvalidSettingException.Range;
import io.leasehold.engine.InvalidSettingException.Setting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a locker is configured; what a request leaves open is taken from here.
 *
 * @param name the locker's name
 * @param namespace what its keys are put under
 * @param waitTime the longest that {@code lock} waits
 * @param ttl how long the store keeps a lock without hearing of its holder
 * @param autoRenew whether locks are renewed while they are held
 * @param maxHoldTime the longest a lock is held, {@code null} for no such limit
 * @param minHoldTime the shortest a lock stays taken
 * @param commandTimeout the longest that one answer of the store is waited for; {@code null} for one second, or a sixth
 *     of the ttl if that is less
 * @param maxLocalHandoffs how many times in a row a lock is passed on inside this process before others get their turn,
 *     which they get after 16 ms in any case
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
        int maxLocalHandoffs) {

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
        Range.requireNotNegative(name, Setting.WAIT_TIME, waitTime);
        Range.requireAtMost(name, Setting.MAX_LOCAL_HANDOFFS, MOST_LOCAL_HANDOFFS, maxLocalHandoffs);
        LeaseTerms.of(name, ttl, autoRenew, maxHoldTime, minHoldTime, commandTimeout);
    }

    /**
     * A locker with the defaults of everything.
     *
     * @param name the locker's name, also its namespace
     * @return the settings
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
                DEFAULT_MAX_LOCAL_HANDOFFS);
    }

    /**
     * These settings with another ttl.
     *
     * @param ttl how long the store keeps a lock without hearing of its holder
     * @return the new settings
     */
    public LockerSettings withTtl(Duration ttl) {
        return new LockerSettings(
                name, namespace, waitTime, ttl, autoRenew, maxHoldTime, minHoldTime, commandTimeout, maxLocalHandoffs);
    }

    /**
     * These settings with another wait time.
     *
     * @param waitTime the longest that {@code lock} waits
     * @return the new settings
     */
    public LockerSettings withWaitTime(Duration waitTime) {
        return new LockerSettings(
                name, namespace, waitTime, ttl, autoRenew, maxHoldTime, minHoldTime, commandTimeout, maxLocalHandoffs);
    }

    /**
     * These settings with another command timeout.
     *
     * @param commandTimeout the longest that one answer of the store is waited for
     * @return the new settings
     */
    public LockerSettings withCommandTimeout(Duration commandTimeout) {
        return new LockerSettings(
                name, namespace, waitTime, ttl, autoRenew, maxHoldTime, minHoldTime, commandTimeout, maxLocalHandoffs);
    }

    /**
     * These settings with another limit of local hand-overs.
     *
     * @param maxLocalHandoffs how many times in a row a lock is passed on inside this process; 0 for never
     * @return the new settings
     */
    public LockerSettings withMaxLocalHandoffs(int maxLocalHandoffs) {
        return new LockerSettings(
                name, namespace, waitTime, ttl, autoRenew, maxHoldTime, minHoldTime, commandTimeout, maxLocalHandoffs);
    }
}
