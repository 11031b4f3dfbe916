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
 */
public record RowLockOptions(String table, int maxLocks, int connections, Duration commandTimeout) {

    /** A table {@code lock_row}, at most eight locks at a time. */
    public RowLockOptions() {
        this("lock_row", 8, 4, Duration.ofSeconds(5));
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
    }

    /** Returns these options with another table. */
    public RowLockOptions withTable(String table) {
        return new RowLockOptions(table, maxLocks, connections, commandTimeout);
    }

    /** Returns these options with another maximum number of held locks. */
    public RowLockOptions withMaxLocks(int maxLocks) {
        return new RowLockOptions(table, maxLocks, connections, commandTimeout);
    }

    /** Returns these options with another number of connections besides those of held locks. */
    public RowLockOptions withConnections(int connections) {
        return new RowLockOptions(table, maxLocks, connections, commandTimeout);
    }

    /** Returns these options with another timeout for answers of the database. */
    public RowLockOptions withCommandTimeout(Duration commandTimeout) {
        return new RowLockOptions(table, maxLocks, connections, commandTimeout);
    }

    String fenceTable() {
        return table + "_fence";
    }
}
