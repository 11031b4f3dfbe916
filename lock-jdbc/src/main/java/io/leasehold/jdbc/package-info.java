/**
 * Locks in a relational database, through nothing but {@code javax.sql}: as leases in a table, or as row locks that last
 * as long as a connection. PostgreSQL, MariaDB, MySQL and H2; the product is recognised from the connection, its errors
 * by SQL state and vendor code.
 */
@NullMarked
package io.leasehold.jdbc;

import org.jspecify.annotations.NullMarked;
