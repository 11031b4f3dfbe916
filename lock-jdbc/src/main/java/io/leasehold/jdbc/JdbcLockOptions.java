package io.leasehold.jdbc;

import java.time.Duration;
import java.util.Objects;

/**
 * How {@link JdbcLockBackend} uses its database.
 *
 * @param table the lease table's name, with its schema as a prefix if needed; it is inserted into SQL unquoted
 * @param connections the maximum number of connections that acquire and release locks. Two more connections renew
 *     leases and a third does background work, so that neither waits behind acquisitions. Connections are opened when
 *     concurrent callers need them. The pool keeps one, and closes the others after ten idle minutes
 * @param lockWait the longest time that a statement waits for a row that another transaction has locked; databases of
 *     the MySQL family round it up to seconds
 * @param commandTimeout the longest time that a connection waits for an answer of the database before it is closed. A
 *     renewal waits for a third of the ttl if that is less
 * @param queueTimeout the longest time that an acquisition waits for one of the connections; half of its locker's
 *     command timeout if that is less. After that it is not sent, and so it was not done
 * @param pollInterval the interval at which the locks that callers wait for are polled. One statement polls all of
 *     them, and only while callers wait. Zero switches polling off; waiters then retry by time alone
 * @param listenNotify whether waiters are notified of releases by PostgreSQL. That takes one more connection while
 *     callers wait. While it works, locks are polled a tenth as often, but at least every 500 ms unless
 *     {@code pollInterval} is longer. Switch it off behind a pooler that does not reserve a session for its client.
 *     Other databases cannot notify
 * @param retention how long a row is kept after the last grant of its lock. Removing it after enough time does not
 *     reset the lock's fencing tokens, because they start at the database's time
 */
public record JdbcLockOptions(
        String table,
        int connections,
        Duration lockWait,
        Duration commandTimeout,
        Duration queueTimeout,
        Duration pollInterval,
        boolean listenNotify,
        Duration retention) {

    /** A table {@code lock_lease}, eight connections and two for renewals, a retention of one day. */
    public JdbcLockOptions() {
        this(
                "lock_lease",
                8,
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofMillis(500),
                Duration.ofMillis(25),
                true,
                Duration.ofDays(1));
    }

    /** Validates the options. */
    public JdbcLockOptions {
        SqlNames.requireTable("table", table);
        if (connections < 1 || connections > 64) {
            throw new IllegalArgumentException("'connections' must be from 1 to 64: " + connections);
        }
        requireAtLeast("lockWait", lockWait, Duration.ofMillis(1));
        if (Objects.requireNonNull(commandTimeout, "commandTimeout").compareTo(lockWait) < 0) {
            throw new IllegalArgumentException(
                    "'commandTimeout' must not be shorter than 'lockWait' (" + lockWait + "): " + commandTimeout);
        }
        requireAtLeast("queueTimeout", queueTimeout, Duration.ofMillis(1));
        requireAtLeast("pollInterval", pollInterval, Duration.ZERO);
        requireAtLeast("retention", retention, Duration.ofMinutes(1));
    }

    /** Returns these options with another table. */
    public JdbcLockOptions withTable(String table) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, pollInterval, listenNotify, retention);
    }

    /**
     * Returns these options with another number of connections.
     *
     * @param connections the maximum number of connections that acquire and release locks
     */
    public JdbcLockOptions withConnections(int connections) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, pollInterval, listenNotify, retention);
    }

    /** Returns these options with another longest wait for locked rows. */
    public JdbcLockOptions withLockWait(Duration lockWait) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, pollInterval, listenNotify, retention);
    }

    /** Returns these options with another timeout for answers of the database. */
    public JdbcLockOptions withCommandTimeout(Duration commandTimeout) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, pollInterval, listenNotify, retention);
    }

    /**
     * Returns these options with another longest wait for a connection.
     *
     * @param queueTimeout the longest time that an acquisition waits; after that it fails without being sent
     */
    public JdbcLockOptions withQueueTimeout(Duration queueTimeout) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, pollInterval, listenNotify, retention);
    }

    /**
     * Returns these options with another poll interval.
     *
     * @param pollInterval the interval between two polls; zero for none
     */
    public JdbcLockOptions withPollInterval(Duration pollInterval) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, pollInterval, listenNotify, retention);
    }

    /**
     * Returns these options with PostgreSQL's release notifications switched on or off.
     *
     * @param listenNotify whether waiters are notified of releases by PostgreSQL
     */
    public JdbcLockOptions withListenNotify(boolean listenNotify) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, pollInterval, listenNotify, retention);
    }

    private static void requireAtLeast(String field, Duration value, Duration least) {
        if (Objects.requireNonNull(value, field).compareTo(least) < 0) {
            throw new IllegalArgumentException("'" + field + "' must be at least " + least + ": " + value);
        }
    }
}
