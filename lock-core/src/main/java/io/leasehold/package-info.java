/**
 * The API: what an application sees of a lock, whichever store keeps it.
 *
 * <p>A {@link io.leasehold.Locker} answers requests with {@link io.leasehold.LockHandle handles}; a handle says at any
 * moment, without I/O, whether its lock is still held. Nothing in this package depends on anything but the JDK.
 */
@NullMarked
package io.leasehold;

import org.jspecify.annotations.NullMarked;
