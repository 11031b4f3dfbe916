/**
 * The lease table: one statement to acquire and one to release, in the dialect of each database, and batched renewals.
 * Uses connections. It is used by the lease backend, by the package for waiters, and by row locks, which keep their
 * fencing tokens in such a table.
 */
@NullMarked
package io.leasehold.jdbc.table;

import org.jspecify.annotations.NullMarked;
