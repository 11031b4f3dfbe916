package io.leasehold.jdbc.table;

import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.IdleTransactionLimit;
import io.leasehold.jdbc.connection.LockConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The statements on the lease table that all databases share, and {@link #acquire}, which each database implements.
 *
 * <ol>
 *   <li>A lock is held while {@code expires_at} is later than the database's time. Its lease is {@code token}, and the
 *       name of the process that holds it, with the thread, is {@code holder}.
 *   <li>Each grant reserves {@code fences} fencing tokens, starting with {@code fence}. They follow all tokens that
 *       were reserved before, and are not lower than the database's time.
 *   <li>A release sets {@code expires_at} and replaces the token's first digit with a hyphen. A released token is
 *       therefore never renewed or released again, and a release whose answer was lost can be distinguished from one
 *       that never arrived. The row keeps its length, so InnoDB can update it in place.
 *   <li>A forced release replaces the token's first digit with an exclamation mark and leaves {@code expires_at} alone.
 *       A revoked token is never renewed, and its owner may still release it.
 *   <li>{@code written_at} is the database's time when {@code expires_at} was written. If it is in the future, the
 *       clock was set back. No lease lasts longer than from {@code written_at} to {@code expires_at}. When the change
 *       of the clock is detected, a lease is therefore assumed to run no longer than that from then on.
 *   <li>Every statement is a transaction of its own, with three exceptions. A batched renewal locks and renews rows in one
 *       transaction if another transaction has locked some. A lease that was written before the clock was set back is
 *       locked and restarted in one. The release of a row lock is part of that row's transaction.
 * </ol>
 */
public abstract class LeaseTable {

    /** The columns of {@link #watchedRow}. */
    public static final String WATCHED = "token, fence, {remaining}, {ahead}, {notifies}";

    /** Sets the expiry to a time from now, which is a parameter. */
    static final String AFTER_A_TIME = "{now} + ?, written_at = {now}";

    /** By how much the clocks of a database's servers may differ, in microseconds, without counting as set back. */
    private static final long CLOCKS_DIFFER = 1_000_000;

    /** How long the row of a restart stays locked at most if this machine vanishes. */
    private static final Duration LONGEST_RESTART = Duration.ofSeconds(5);

    private final String releaseSql;

    private final String keepSql;

    private final String readSql;

    private final String purgeSql;

    private final String restartSql;

    private final String lockSql;

    private final DatabaseDialect dialect;

    private final String table;

    private volatile String renewalHint = "";

    LeaseTable(DatabaseDialect dialect, String table) {
        this.dialect = dialect;
        this.table = table;
        releaseSql = releaseSql("0");
        keepSql = releaseSql(AFTER_A_TIME);
        readSql = sql("SELECT " + WATCHED + " FROM {table} WHERE key_hash = ?");
        purgeSql = sql(purge());
        restartSql = sql("""
                UPDATE {table} SET expires_at = {now} + expires_at - written_at, written_at = {now}
                WHERE key_hash = ? AND {ahead}""");
        lockSql = sql("SELECT key_hash FROM {table} WHERE key_hash = ? FOR UPDATE SKIP LOCKED");
    }

    /**
     * Acquires a lock that is free, renews one that is held under the same token, and leaves any other unchanged.
     *
     * @return the row afterwards; {@code null} if the row changed concurrently, so that the caller has to retry
     */
    abstract @Nullable LeaseRow acquire(LockConnection session, LeaseRequest request) throws SQLException;

    /**
     * The statement that removes some rows whose locks are free and whose last fencing token is older than a number of
     * microseconds.
     */
    public abstract String purge();

    /** The statement that ends a lease and sets when its row expires. */
    final String releaseSql(String expiry) {
        return sql("""
                UPDATE {table} SET token = ?, expires_at = %s
                WHERE key_hash = ? AND token = ? AND expires_at > {now}""".formatted(expiry));
    }

    /** The end of a statement that returns or changes a number of rows, which is a parameter. */
    String firstRows() {
        return " LIMIT ?";
    }

    /** The condition under which a release notifies waiters. */
    String notifies() {
        return "FALSE";
    }

    /** Requests notifications of the releases of held locks; rows that are locked at the moment are skipped. */
    public void requestNotification(LockConnection session, List<byte[]> keys) throws SQLException {}

    /**
     * The statement that renews the leases that meet a condition, or some of them: it avoids waiting for locked rows
     * where the database allows it.
     *
     * <p>Where it waits, {@code {now}} may be the time at which it began. A lease that was renewed meanwhile was then
     * written in its future, as if the clock had been set back. Its time of writing is therefore kept, and it lasts for
     * a whole ttl from then. If the clock was set back, the row still shows it to {@link #restart}.
     */
    String renewSql(String condition) {
        return sql("UPDATE {table}" + renewalHint
                        + " SET expires_at = GREATEST(expires_at, GREATEST(written_at, {now}) + ?),"
                        + " written_at = GREATEST(written_at, {now}) WHERE ")
                + condition;
    }

    /**
     * The statement that renews the leases that meet a condition, and restarts those that were written before the clock
     * was set back. Its time has to be later than that of all renewals before it.
     */
    final String plainRenewSql(String condition) {
        return sql("UPDATE {table}" + renewalHint
                        + " SET expires_at = GREATEST({expiry}, {now} + ?), written_at = {now} WHERE ")
                + condition;
    }

    /** Asks the database for the index by which it has to find the rows to renew. */
    final void prepareRenewals(LockConnection session) throws SQLException {
        renewalHint = UniqueKey.indexHint(session, table);
    }

    /**
     * Ends a lease; returns whether it existed.
     *
     * @param retainFor how long the lock stays taken, zero if it is free immediately
     */
    public boolean release(LockConnection session, byte[] key, String token, Duration retainFor) throws SQLException {
        String sql = retainFor.isZero() ? releaseSql : keepSql;
        return toRelease(session, sql, key, token, retainFor).executeUpdate() > 0;
    }

    static PreparedStatement toRelease(LockConnection session, String sql, byte[] key, String token, Duration retainFor)
            throws SQLException {
        PreparedStatement release = session.prepare(sql);
        int parameter = 1;
        release.setString(parameter++, released(token));
        if (!retainFor.isZero()) {
            release.setLong(parameter++, LeaseRequest.micros(retainFor));
        }
        release.setBytes(parameter++, key);
        release.setString(parameter, token);
        return release;
    }

    /** The row of a lock, if it has one. */
    public Optional<LeaseRow> read(LockConnection session, byte[] key) throws SQLException {
        PreparedStatement read = session.prepare(readSql);
        read.setBytes(1, key);
        try (ResultSet rows = read.executeQuery()) {
            return Optional.ofNullable(watchedRow(rows));
        }
    }

    /** Fails if rows may not be written, or cannot be written now; changes nothing. */
    void tryToWrite(LockConnection session) throws SQLException {
        session.execute(
                sql(
                        "INSERT INTO {table} (key_hash, lock_key, token, holder, fence, fences, expires_at, written_at)"
                                + " SELECT key_hash, lock_key, token, holder, fence, fences, expires_at, written_at FROM {table} WHERE 1 = 0"));
        session.execute(sql("UPDATE {table} SET expires_at = expires_at WHERE 1 = 0"));
    }

    /**
     * Restarts a lease that was written before the clock was set back: it lasts for its whole duration from now, and no
     * longer. The row is locked first, so that {@code {now}} is later than all renewals before it. If another transaction
     * has it locked, the next acquisition restarts the lease.
     */
    void restart(LockConnection session, byte[] key) throws SQLException {
        IdleTransactionLimit.inTransaction(session, LONGEST_RESTART, within -> {
            if (!lock(within, key)) {
                return 0;
            }
            PreparedStatement restart = within.prepare(restartSql);
            restart.setBytes(1, key);
            return restart.executeUpdate();
        });
    }

    /** Whether a transaction has the row locked; does not wait. */
    boolean isLocked(LockConnection session, byte[] key) throws SQLException {
        return !lock(session, key) && read(session, key).isPresent();
    }

    /** Locks the row until the transaction ends; returns {@code false} if it is missing, or another one has locked it. */
    private boolean lock(LockConnection session, byte[] key) throws SQLException {
        PreparedStatement lock = session.prepare(lockSql);
        lock.setBytes(1, key);
        try (ResultSet rows = lock.executeQuery()) {
            return rows.next();
        }
    }

    /** Removes up to {@code limit} rows that were not used during the retention; returns how many. */
    public int purge(LockConnection session, long retentionMicros, int limit) throws SQLException {
        PreparedStatement purge = session.prepare(purgeSql);
        purge.setLong(1, retentionMicros);
        purge.setInt(2, limit);
        return purge.executeUpdate();
    }

    /** The form of a token after its lease was revoked. */
    static String revoked(String token) {
        return "!" + token.substring(1);
    }

    /** The form of a token after its lease was released. */
    static String released(String token) {
        return "-" + token.substring(1);
    }

    public final String sql(String template) {
        return template.replace("{notifies}", notifies())
                .replace("{remaining}", "LEAST(expires_at - {now}, expires_at - written_at)")
                .replace("{expiry}", "LEAST(expires_at, {now} + expires_at - written_at)")
                .replace("{ahead}", "written_at > {now} + " + CLOCKS_DIFFER)
                .replace("{table}", table)
                .replace("{now}", dialect.now());
    }

    /** The next row of a result whose first columns are {@link #WATCHED}. */
    public static @Nullable LeaseRow watchedRow(ResultSet rows) throws SQLException {
        return rows.next()
                ? new LeaseRow(
                        rows.getString(1), rows.getLong(2), rows.getLong(3), rows.getBoolean(4), rows.getBoolean(5))
                : null;
    }

    /** The next row of a result with the columns token, fence and remaining time. */
    static @Nullable LeaseRow row(ResultSet rows) throws SQLException {
        return rows.next() ? new LeaseRow(rows.getString(1), rows.getLong(2), rows.getLong(3)) : null;
    }
}
