/**
 * The API that applications use, independent of the store that keeps the locks.
 *
 * <p>A {@link io.leasehold.Locker} grants {@link io.leasehold.LockHandle handles} for requests. A handle reports at any
 * moment, without I/O, whether its lock is still held. This package depends on the JDK and {@code support}.
 */
@NullMarked
package io.leasehold;

import org.jspecify.annotations.NullMarked;
