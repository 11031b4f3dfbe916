package io.leasehold.autoconfigure.jdbc;

import io.leasehold.jdbc.JdbcLockOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The jdbc backend.
 *
 * @param dataSource Name of the DataSource bean to lock in. Needed if there are several.
 * @param url JDBC URL of the database to lock in, instead of a DataSource bean.
 * @param username User for that URL.
 * @param password Password for that URL.
 * @param table Name of the lease table, with its schema in front if need be.
 * @param initializeSchema Whether to create the lease table at start-up if it is not there.
 * @param connections How many connections acquire and release locks at most. One more renews and does other background work.
 * @param lockWait Longest time a statement waits for a row that another transaction has locked.
 * @param commandTimeout Longest time a connection waits for an answer of the database before it is given up.
 * @param queueTimeout How long an acquisition waits for a connection before it is given up without being sent.
 * @param pollInterval How often waiting callers poll for released locks, with one statement for all of them. 0 switches it off.
 * @param listenNotify Whether PostgreSQL tells of releases while callers wait, on one more connection. Other databases cannot.
 * @param retention How long the row of a key is kept after its last lock.
 * @param purgeInterval How often rows that are past their retention are removed. 0 switches it off.
 */
@ConfigurationProperties(prefix = "lock.jdbc", ignoreUnknownFields = false)
record JdbcLockProperties(
        @Nullable String dataSource,
        @Nullable String url,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue("lock_lease") String table,
        @DefaultValue("false") boolean initializeSchema,
        @DefaultValue("3") int connections,
        @DefaultValue("1s") Duration lockWait,
        @DefaultValue("5s") Duration commandTimeout,
        @DefaultValue("500ms") Duration queueTimeout,
        @DefaultValue("25ms") Duration pollInterval,
        @DefaultValue("true") boolean listenNotify,
        @DefaultValue("1d") Duration retention,
        @DefaultValue("1h") Duration purgeInterval) {

    JdbcLockOptions options() {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, pollInterval, listenNotify, retention);
    }

    LockDataSources.Connection connection() {
        return new LockDataSources.Connection(url, username, password);
    }
}
