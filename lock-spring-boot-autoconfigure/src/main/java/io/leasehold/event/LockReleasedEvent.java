package io.leasehold.event;

import java.time.Duration;

/**
 * A lock was released by its holder.
 *
 * @param locker the locker's name
 * @param key what was locked
 * @param fencingToken the lock's fencing token
 * @param held how long it was held
 */
public record LockReleasedEvent(String locker, String key, long fencingToken, Duration held) {}
