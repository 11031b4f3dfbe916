package io.leasehold.jdbc;

import java.time.Duration;
import java.util.Objects;

/**
 * How {@link JdbcLockBackend} uses its database.
 *
 * @param table the lease table's name, with its schema in front if need be; it goes into SQL unquoted
 * @param connections how many connections acquire and release locks at most. There is one more, which renews leases and
 *     does what nobody waits for, so that neither stands behind acquisitions. Each is opened when it is first needed, and
 *     kept
 * @param lockWait how long a statement waits for a row that another transaction has locked; databases of the MySQL
 *     family round it up to seconds
 * @param commandTimeout how long a connection waits for an answer of the database before it is given up
 * @param queueTimeout how long an acquisition waits for one of the connections; after that it is not sent and so not done.
 *     More than half of the lockers' command timeout would send what nobody waits for any more
 * @param hintInterval how often those who wait for locks are looked after, with one statement for all of them and only
 *     while there are any; zero leaves them to the clock
 * @param listen whether PostgreSQL is asked to tell of releases while anybody waits, which takes a connection more then;
 *     those who wait are looked after a tenth as often as long as that works. Switch it off behind a pooler that does not
 *     leave a session to its client. Other databases cannot tell
 * @param retention how long a row is kept after the last grant of its lock; with time enough in between, removing it
 *     does not reset the lock's fencing tokens, because they begin at the database's time
 */
public record JdbcLockOptions(
        String table,
        int connections,
        Duration lockWait,
        Duration commandTimeout,
        Duration queueTimeout,
        Duration hintInterval,
        boolean listen,
        Duration retention) {

    /** A table {@code lock_lease}, two connections and one for renewals, rows kept for a day. */
    public JdbcLockOptions() {
        this(
                "lock_lease",
                2,
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofMillis(500),
                Duration.ofMillis(25),
                true,
                Duration.ofDays(1));
    }

    /** Refuses what cannot work. */
    public JdbcLockOptions {
        SqlNames.requireTable("table", table);
        if (connections < 1 || connections > 64) {
            throw new IllegalArgumentException("'connections' must be from 1 to 64: " + connections);
        }
        requireAtLeast("lockWait", lockWait, Duration.ofMillis(1));
        requireAtLeast("commandTimeout", commandTimeout, lockWait);
        requireAtLeast("queueTimeout", queueTimeout, Duration.ofMillis(1));
        requireAtLeast("hintInterval", hintInterval, Duration.ZERO);
        requireAtLeast("retention", retention, Duration.ofMinutes(1));
    }

    /**
     * These options with another table.
     *
     * @param table the table's name
     * @return the new options
     */
    public JdbcLockOptions withTable(String table) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, hintInterval, listen, retention);
    }

    /**
     * These options with another number of connections.
     *
     * @param connections how many acquire and release locks at most
     * @return the new options
     */
    public JdbcLockOptions withConnections(int connections) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, hintInterval, listen, retention);
    }

    /**
     * These options with another wait for locked rows.
     *
     * @param lockWait how long a statement waits
     * @return the new options
     */
    public JdbcLockOptions withLockWait(Duration lockWait) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, hintInterval, listen, retention);
    }

    /**
     * These options with another patience for answers.
     *
     * @param commandTimeout how long a connection waits for an answer
     * @return the new options
     */
    public JdbcLockOptions withCommandTimeout(Duration commandTimeout) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, hintInterval, listen, retention);
    }

    /**
     * These options with another wait for a connection.
     *
     * @param queueTimeout how long an acquisition waits before it is given up without being sent
     * @return the new options
     */
    public JdbcLockOptions withQueueTimeout(Duration queueTimeout) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, hintInterval, listen, retention);
    }

    /**
     * These options with another pace of looking after those who wait.
     *
     * @param hintInterval the time between two looks; zero for none
     * @return the new options
     */
    public JdbcLockOptions withHintInterval(Duration hintInterval) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, hintInterval, listen, retention);
    }

    /**
     * These options with another way to learn of releases in PostgreSQL.
     *
     * @param listen whether it is asked to tell of them
     * @return the new options
     */
    public JdbcLockOptions withListen(boolean listen) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, hintInterval, listen, retention);
    }

    /**
     * These options with another retention.
     *
     * @param retention how long unused rows stay
     * @return the new options
     */
    public JdbcLockOptions withRetention(Duration retention) {
        return new JdbcLockOptions(
                table, connections, lockWait, commandTimeout, queueTimeout, hintInterval, listen, retention);
    }

    private static void requireAtLeast(String field, Duration value, Duration least) {
        if (Objects.requireNonNull(value, field).compareTo(least) < 0) {
            throw new IllegalArgumentException("'" + field + "' must be at least " + least + ": " + value);
        }
    }
}
