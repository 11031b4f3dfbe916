package io.leasehold.jdbc.row;

import io.leasehold.jdbc.SqlNames;
import java.time.Duration;
import java.util.Objects;

/**
 * How {@link RowLockBackend} uses its database.
 *
 * @param table the name of the table whose rows are locked, with its schema as a prefix if needed. The table of the
 *     fencing tokens has this name with the suffix {@code _fence}
 * @param maxLocks the maximum number of locks that this process holds at a time; each takes a connection of its own
 * @param connections the maximum number of additional connections that acquire, renew and release locks at a time
 * @param commandTimeout the longest time that a connection waits for an answer of the database before it is closed. A
 *     connection that holds a lock waits until the lock is over, since the lock ends with the connection
 * @param queueTimeout the longest time that an acquisition waits for one of the connections; half of its locker's
 *     command timeout if that is less. After that it is not sent, and so it was not done
 */
public record RowLockOptions(
        String table, int maxLocks, int connections, Duration commandTimeout, Duration queueTimeout) {

    /** A table {@code lock_row}, at most eight locks at a time. */
    public RowLockOptions() {
        this("lock_row", 8, 4, Duration.ofSeconds(5), Duration.ofMillis(500));
    }

    /** Validates the options. */
    public RowLockOptions {
        SqlNames.requireTable("table", table);
        if (maxLocks < 1) {
            throw new IllegalArgumentException("'maxLocks' must be at least 1: " + maxLocks);
        }
        if (connections < 1 || connections > 64) {
            throw new IllegalArgumentException("'connections' must be from 1 to 64: " + connections);
        }
        if (Objects.requireNonNull(commandTimeout, "commandTimeout").toMillis() < 1) {
            throw new IllegalArgumentException("'commandTimeout' must be at least 1 ms: " + commandTimeout);
        }
        if (Objects.requireNonNull(queueTimeout, "queueTimeout").toMillis() < 1) {
            throw new IllegalArgumentException("'queueTimeout' must be at least 1 ms: " + queueTimeout);
        }
    }

    /** Returns these options with another table. */
    public RowLockOptions withTable(String table) {
        return new RowLockOptions(table, maxLocks, connections, commandTimeout, queueTimeout);
    }

    /** Returns these options with another maximum number of held locks. */
    public RowLockOptions withMaxLocks(int maxLocks) {
        return new RowLockOptions(table, maxLocks, connections, commandTimeout, queueTimeout);
    }

    /** Returns these options with another number of connections besides those of held locks. */
    public RowLockOptions withConnections(int connections) {
        return new RowLockOptions(table, maxLocks, connections, commandTimeout, queueTimeout);
    }

    /** Returns these options with another timeout for answers of the database. */
    public RowLockOptions withCommandTimeout(Duration commandTimeout) {
        return new RowLockOptions(table, maxLocks, connections, commandTimeout, queueTimeout);
    }

    /**
     * Returns these options with another longest wait for a connection.
     *
     * @param queueTimeout the longest time that an acquisition waits; after that it fails without being sent
     */
    public RowLockOptions withQueueTimeout(Duration queueTimeout) {
        return new RowLockOptions(table, maxLocks, connections, commandTimeout, queueTimeout);
    }

    String fenceTable() {
        return table + "_fence";
    }
}
