package io.leasehold.event;

import java.time.Duration;

/**
 * A lock will be lost if the store does not answer soon, see {@link io.leasehold.LockListener#atRisk}.
 *
 * @param locker the locker's name
 * @param key what is locked
 * @param fencingToken the lock's fencing token
 * @param remaining how much longer it is held if the store does not answer
 */
public record LockAtRiskEvent(String locker, String key, long fencingToken, Duration remaining) {}
