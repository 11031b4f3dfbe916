/**
 * Locks in a relational database, over a {@code javax.sql.DataSource} or a HikariCP pool of their own. This package
 * keeps locks as leases in a table; the package {@code row} keeps them as row locks that last as long as their
 * connection. PostgreSQL, MariaDB, MySQL and H2 are supported. The product is detected from the connection, and its
 * errors are classified by SQL state and vendor code. Uses {@code connection}, {@code table} and {@code waiting}, which
 * serve only these locks.
 */
@NullMarked
package io.leasehold.jdbc;

import org.jspecify.annotations.NullMarked;
