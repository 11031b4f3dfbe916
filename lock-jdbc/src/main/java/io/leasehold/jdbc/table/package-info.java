/**
 * The lease table: one statement to acquire and one to release, in the words of each database, and renewals in batches. Uses
 * connections; the backend, those who wait and row locks, which keep their fencing tokens in such a table, use it.
 */
@NullMarked
package io.leasehold.jdbc.table;

import org.jspecify.annotations.NullMarked;
