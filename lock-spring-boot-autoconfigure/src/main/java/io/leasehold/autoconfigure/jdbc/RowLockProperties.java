package io.leasehold.autoconfigure.jdbc;

import io.leasehold.jdbc.row.RowLockOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The row-lock backend.
 *
 * @param dataSource Name of the DataSource bean to lock in. Needed if there are several.
 * @param url JDBC URL of the database to lock in, instead of a DataSource bean.
 * @param username User for that URL.
 * @param password Password for that URL.
 * @param table Name of the table whose rows are locked, with its schema in front if need be.
 * @param initializeSchema Whether to create the tables at start-up if they are not there.
 * @param maxLocks How many locks this process holds at most. Each keeps a connection of its own.
 * @param connections How many connections besides try to take locks, renew and release at once.
 * @param commandTimeout Longest time a connection waits for an answer before it is given up, and its lock with it.
 */
@ConfigurationProperties(prefix = "lock.row-lock", ignoreUnknownFields = false)
record RowLockProperties(
        @Nullable String dataSource,
        @Nullable String url,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue("lock_row") String table,
        @DefaultValue("false") boolean initializeSchema,
        @DefaultValue("8") int maxLocks,
        @DefaultValue("4") int connections,
        @DefaultValue("5s") Duration commandTimeout) {

    RowLockOptions options() {
        return new RowLockOptions(table, maxLocks, connections, commandTimeout);
    }

    LockDataSources.Connection connection() {
        return new LockDataSources.Connection(url, username, password);
    }
}
