/**
 * Waiters for leases: a queue per lock in this process, one poll for all locks with waiters, and notifications of
 * releases from PostgreSQL. Uses connections and the lease table. It is used by the lease backend.
 */
@NullMarked
package io.leasehold.jdbc.waiting;

import org.jspecify.annotations.NullMarked;
