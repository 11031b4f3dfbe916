package io.leasehold.autoconfigure.jdbc;

import io.leasehold.autoconfigure.property.PropertyValue;
import io.leasehold.jdbc.row.RowLockOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The row-lock backend.
 *
 * @param dataSource Name of the DataSource bean from which the locks' own pool is derived, or that is their pool.
 *     Required if there are several and none is primary.
 * @param url JDBC URL of the locks' database, instead of a DataSource bean.
 * @param username User for that URL.
 * @param password Password for that URL.
 * @param table Name of the table whose rows are locked, with a schema prefix if needed.
 * @param initializeSchema Whether to create the tables at start-up, or to upgrade those of an older version.
 * @param maxLocks Largest number of locks that this process holds. Each keeps a connection.
 * @param connections Number of further connections, which acquire, renew and release locks concurrently.
 * @param commandTimeout Longest time that a connection waits for an answer before it is closed. A connection that holds
 *     a lock waits until the lock has ended.
 * @param queueTimeout Longest time that an acquisition waits for a connection before it fails without being sent. Half
 *     of the locker's command timeout if that is less.
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
        @DefaultValue("5s") Duration commandTimeout,
        @DefaultValue("500ms") Duration queueTimeout) {

    RowLockProperties {
        dataSource = PropertyValue.orNull(dataSource);
        url = PropertyValue.orNull(url);
    }

    RowLockOptions options() {
        return new RowLockOptions(table, maxLocks, connections, commandTimeout, queueTimeout);
    }

    LockDataSources.Connection connection() {
        return new LockDataSources.Connection(url, username, password);
    }

    /** The properties without the password and the URL, which may contain one. */
    @Override
    public String toString() {
        return "RowLockProperties[dataSource=" + dataSource + ", username=" + username + ", table=" + table + "]";
    }
}
