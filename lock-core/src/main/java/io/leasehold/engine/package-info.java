/**
 * Makes locks out of what a store keeps: asks for leases, queues the callers of one process, renews what is held, notices
 * what is lost and removes what an attempt of unknown outcome may have left. It uses the API, {@code spi} and
 * {@code support}. Applications see {@link io.leasehold.Locker}, backends see {@link io.leasehold.spi}; only the
 * auto-configuration, and applications without Spring, make a {@link io.leasehold.engine.LockEngine}.
 *
 * <p>A call goes from {@link io.leasehold.engine.LeaseLocker} through an {@code Acquisition}, which first waits in the
 * {@code LocalQueue} of its lock and then asks the store. What is granted is a {@code Lease}; its holder has a
 * {@code LeaseHandle}. The {@code LeaseWatchdog} renews all leases, the {@code Reaper} removes tokens of unknown outcome.
 */
@NullMarked
package io.leasehold.engine;

import org.jspecify.annotations.NullMarked;
