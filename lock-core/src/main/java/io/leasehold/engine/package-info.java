/**
 * Makes locks out of what a store keeps: asks for leases, lines up the callers of one process, renews what is held,
 * notices what is lost and removes what an attempt of unknown outcome may have left. Internal; applications see {@link
 * io.leasehold.Locker}, backends see {@link io.leasehold.spi}.
 *
 * <p>A call goes from {@link io.leasehold.engine.LeaseLocker} through an {@code Acquisition}, which first stands in the
 * {@code LocalLine} of its lock and then asks the store. What is granted is a {@code Lease}; who holds it has a
 * {@code HeldLock}. The {@code LeaseWatchdog} looks after all leases, the {@code Reaper} after what is in doubt.
 */
@NullMarked
package io.leasehold.engine;

import org.jspecify.annotations.NullMarked;
