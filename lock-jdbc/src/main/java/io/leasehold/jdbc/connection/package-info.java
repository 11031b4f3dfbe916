/**
 * How locks use connections: a small dedicated pool, an executor that runs SQL on its own threads, connections that are
 * set up for locks, the differences between databases, and the classification of their errors. This package knows no
 * table. It is used by the packages for tables, waiters and row locks.
 */
@NullMarked
package io.leasehold.jdbc.connection;

import org.jspecify.annotations.NullMarked;
