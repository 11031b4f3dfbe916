package io.leasehold.event;

import java.time.Duration;

/**
 * A lock was granted.
 *
 * @param locker the locker's name
 * @param key what is locked
 * @param waited how long the caller waited for it
 */
public record LockAcquiredEvent(String locker, String key, Duration waited) {}
