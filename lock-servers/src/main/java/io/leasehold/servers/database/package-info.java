/** PostgreSQL, MariaDB, MySQL, H2 and PgBouncer. They use {@code io.leasehold.servers} and, except for H2, no driver. */
@NullMarked
package io.leasehold.servers.database;

import org.jspecify.annotations.NullMarked;
