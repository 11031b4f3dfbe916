package io.leasehold.event;

import io.leasehold.ForcedRelease;

/**
 * This process was asked to take a lock from its holder. Published unless {@code lock.events.publish} excludes it.
 *
 * @param release the request and its outcome, which may be that nothing was changed
 */
public record LockForceReleasedEvent(ForcedRelease release) {}
