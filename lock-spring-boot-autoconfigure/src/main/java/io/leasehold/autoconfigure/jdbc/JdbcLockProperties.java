package io.leasehold.autoconfigure.jdbc;

import io.leasehold.autoconfigure.property.PropertyValue;
import io.leasehold.jdbc.JdbcLockOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The jdbc backend.
 *
 * @param dataSource Name of the DataSource bean from which the locks' own pool is derived, or that is their pool.
 *     Required if there are several and none is primary.
 * @param url JDBC URL of the locks' database, instead of a DataSource bean.
 * @param username User for that URL.
 * @param password Password for that URL.
 * @param table Name of the lease table, with a schema prefix if needed.
 * @param initializeSchema Whether to create the lease table at start-up, or to upgrade one of an older version.
 * @param connections Largest number of connections that acquire and release locks. Three more serve renewals and
 *     other background work. All but one are opened when they are needed and closed when they are idle.
 * @param lockWait Longest time that a statement waits for a row that another transaction has locked.
 * @param commandTimeout Longest time that a connection waits for an answer of the database before it is closed. A
 *     renewal waits for a third of the ttl if that is less.
 * @param queueTimeout Longest time that an acquisition waits for a connection before it fails without being sent. Half
 *     of the locker's command timeout if that is less.
 * @param pollInterval How often a process polls for all of its waiters, with one statement. 0 disables polling.
 * @param listenNotify Whether PostgreSQL notifies waiters of releases, over one more connection while callers wait. Has
 *     no effect on other databases.
 * @param retention How long the row of a key is kept after its last lock.
 * @param purgeInterval How often rows that are past their retention are removed. 0 disables purging.
 */
@ConfigurationProperties(prefix = "lock.jdbc", ignoreUnknownFields = false)
record JdbcLockProperties(
        @Nullable String dataSource,
        @Nullable String url,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue("lock_lease") String table,
        @DefaultValue("false") boolean initializeSchema,
        @DefaultValue("8") int connections,
        @DefaultValue("1s") Duration lockWait,
        @DefaultValue("5s") Duration commandTimeout,
        @DefaultValue("500ms") Duration queueTimeout,
        @DefaultValue("25ms") Duration pollInterval,
        @DefaultValue("true") boolean listenNotify,
        @DefaultValue("1d") Duration retention,
        @DefaultValue("1h") Duration purgeInterval) {

    JdbcLockProperties {
        dataSource = PropertyValue.orNull(dataSource);
        url = PropertyValue.orNull(url);
    }

    JdbcLockOptions options() {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, pollInterval, listenNotify, retention);
    }

    LockDataSources.Connection connection() {
        return new LockDataSources.Connection(url, username, password);
    }

    /** The properties without the password and the URL, which may contain one. */
    @Override
    public String toString() {
        return "JdbcLockProperties[dataSource=" + dataSource + ", username=" + username + ", table=" + table + "]";
    }
}
