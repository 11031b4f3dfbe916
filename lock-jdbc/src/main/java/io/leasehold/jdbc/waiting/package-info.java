/**
 * Those who wait for leases: a queue for each lock in this process, one look for all of them, and messages of releases where
 * PostgreSQL sends them. Uses connections and the lease table; the backend of leases uses it.
 */
@NullMarked
package io.leasehold.jdbc.waiting;

import org.jspecify.annotations.NullMarked;
