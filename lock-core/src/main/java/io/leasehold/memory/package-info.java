/**
 * Leases in the memory of one JVM. This is the executable specification of what a
 * {@link io.leasehold.spi.LockBackend} does; as a store it suits tests and applications of a single process, and nothing
 * else: a second process would not see its locks.
 */
@NullMarked
package io.leasehold.memory;

import org.jspecify.annotations.NullMarked;
