package io.leasehold.event;

import java.time.Duration;

/**
 * Two thirds of a lock's ttl have passed without a renewal: it will be lost if the store does not answer soon.
 *
 * @param locker the locker's name
 * @param key what is locked
 * @param fencingToken the lock's fencing token
 * @param remaining how much longer it is held if the store does not answer
 */
public record LockAtRiskEvent(String locker, String key, long fencingToken, Duration remaining) {}
