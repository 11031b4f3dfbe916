/**
 * Locks in a relational database, through nothing but {@code javax.sql}: as leases in a table, here, or as row locks that last
 * as long as a connection, in {@code row}. PostgreSQL, MariaDB, MySQL and H2; the product is recognised from the connection, its
 * errors by SQL state and vendor code. Uses {@code connection}, {@code table} and {@code waiting}, which are for these locks alone.
 */
@NullMarked
package io.leasehold.jdbc;

import org.jspecify.annotations.NullMarked;
