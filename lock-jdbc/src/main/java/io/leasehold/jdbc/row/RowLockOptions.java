package io.leasehold.jdbc.row;

import io.leasehold.jdbc.SqlNames;
import java.time.Duration;
import java.util.Objects;

/**
 * How {@link RowLockBackend} uses its database.
 *
 * @param table the name of the table whose rows are locked, with its schema in front if need be. The table with
 *     {@code _fence} after that name has the fencing tokens
 * @param maxHeld how many locks this process holds at once at most: each keeps a connection of its own
 * @param connections how many connections besides try to take locks, renew and release at once
 * @param commandTimeout how long a connection waits for an answer of the database before it is given up. One that holds a
 *     lock waits until the lock is over, since its lock ends with it
 */
public record RowLockOptions(String table, int maxHeld, int connections, Duration commandTimeout) {

    /** A table {@code lock_row}, at most eight locks at once. */
    public RowLockOptions() {
        this("lock_row", 8, 4, Duration.ofSeconds(5));
    }

    /** Refuses what cannot work. */
    public RowLockOptions {
        SqlNames.requireTable("table", table);
        if (maxHeld < 1) {
            throw new IllegalArgumentException("'maxHeld' must be at least 1: " + maxHeld);
        }
        if (connections < 1 || connections > 64) {
            throw new IllegalArgumentException("'connections' must be from 1 to 64: " + connections);
        }
        if (Objects.requireNonNull(commandTimeout, "commandTimeout").toMillis() < 1) {
            throw new IllegalArgumentException("'commandTimeout' must be at least 1 ms: " + commandTimeout);
        }
    }

    /**
     * These options with another table.
     *
     * @param table the table's name
     * @return the new options
     */
    public RowLockOptions withTable(String table) {
        return new RowLockOptions(table, maxHeld, connections, commandTimeout);
    }

    /**
     * These options with another cap.
     *
     * @param maxHeld how many locks this process holds at once at most
     * @return the new options
     */
    public RowLockOptions withMaxHeld(int maxHeld) {
        return new RowLockOptions(table, maxHeld, connections, commandTimeout);
    }

    /**
     * These options with another number of connections for what is no held lock.
     *
     * @param connections how many try, renew and release at once
     * @return the new options
     */
    public RowLockOptions withConnections(int connections) {
        return new RowLockOptions(table, maxHeld, connections, commandTimeout);
    }

    /**
     * These options with another patience for answers.
     *
     * @param commandTimeout how long a connection waits for an answer
     * @return the new options
     */
    public RowLockOptions withCommandTimeout(Duration commandTimeout) {
        return new RowLockOptions(table, maxHeld, connections, commandTimeout);
    }

    String fenceTable() {
        return table + "_fence";
    }
}
