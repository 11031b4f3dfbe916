package io.leasehold.event;

import io.leasehold.LossReason;
import java.time.Duration;

/**
 * A lock was lost while it was held, so another holder may have worked at the same time. Published unless
 * {@code lock.events.publish} excludes it.
 *
 * @param locker the locker's name
 * @param key what was locked
 * @param fencingToken the fencing token of the lost lock
 * @param reason why it was lost
 * @param held how long it was held
 */
public record LockLostEvent(String locker, String key, long fencingToken, LossReason reason, Duration held) {}
