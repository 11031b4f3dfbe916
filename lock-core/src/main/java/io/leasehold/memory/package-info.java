/**
 * Leases in the memory of one JVM. This package is the executable specification of a
 * {@link io.leasehold.spi.LockBackend}. As a store it is suitable only for tests and for applications of a single
 * process, because a second process does not see its locks.
 */
@NullMarked
package io.leasehold.memory;

import org.jspecify.annotations.NullMarked;
