/**
 * Locks that are locked rows. Each takes one connection for as long as the lock is held. Uses connections, and a lease
 * table for fencing tokens; does not use the package for waiters.
 */
@NullMarked
package io.leasehold.jdbc.row;

import org.jspecify.annotations.NullMarked;
