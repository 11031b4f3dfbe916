/**
 * Locks that are locked rows: a connection each, as long as the lock is held. Uses connections and a lease table for fencing
 * tokens; sees nothing of those who wait for leases.
 */
@NullMarked
package io.leasehold.jdbc.row;

import org.jspecify.annotations.NullMarked;
