/**
 * Leases in the memory of one JVM. This package is the executable specification of a
 * {@link io.leasehold.spi.LockBackend}. As a store it is suitable only for tests and for applications of a single
 * process, because a second process does not see its locks. It uses the API, {@code spi} and {@code support}. The test
 * kit {@code io.leasehold.test} and the auto-configuration use it, and no other store.
 */
@NullMarked
package io.leasehold.memory;

import org.jspecify.annotations.NullMarked;
