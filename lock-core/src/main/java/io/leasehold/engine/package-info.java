/**
 * Implements locks on top of the leases of a store. The engine acquires leases, queues the callers of one process,
 * renews held leases, detects lost ones and removes the tokens of attempts with unknown outcome. It uses the API,
 * {@code spi} and {@code support}. Applications use {@link io.leasehold.Locker}, backends implement
 * {@link io.leasehold.spi}.
 *
 * <p>A call of {@link io.leasehold.engine.LeaseLocker} creates an {@code Acquisition}, which first waits in the
 * {@code LocalQueue} of its lock and then sends commands to the store. The granted lease is a {@code Lease}; its holder
 * has a {@code LeaseHandle}. The {@code LeaseWatchdog} renews all leases. The {@code Reaper} removes tokens of unknown
 * outcome.
 *
 * <p>References go in one direction: {@code LeaseLocker}, {@code Acquisition}, {@code LocalQueue}, {@code Lease},
 * {@code LockerState}, {@code EngineResources}. A type that has to call back declares an interface for it, such as
 * {@code Lease.Queue} and {@code LeaseWatchdog.Watched}.
 */
@NullMarked
package io.leasehold.engine;

import org.jspecify.annotations.NullMarked;
