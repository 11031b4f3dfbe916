package io.leasehold.jdbc.row;

import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.jdbc.JdbcLoad;
import io.leasehold.jdbc.JdbcMonitored;
import io.leasehold.jdbc.connection.Blocking;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Keeps a lock as a locked row: {@code SELECT ... FOR UPDATE} in a transaction that stays open as long as the lock is
 * held, on a connection of its own.
 *
 * <ol>
 *   <li>The row is locked without waiting. Its fencing tokens are reserved afterwards and committed immediately.
 *   <li>A renewal checks that the connection answers. A connection that does not answer has lost its lock.
 *   <li>A lock that was not renewed for its ttl is released by this process, or by the server if this process cannot do
 *       so. Each answer on the connection restarts the ttl, by this process's clock or by the server's.
 *   <li>The lock ends when its connection ends, whether the process, the server, a proxy in between or an operator ends
 *       it.
 *   <li>A release commits the end of the lease in the table of the fencing tokens, and with it the end of the lock.
 * </ol>
 *
 * <p>Limits compared with a lease: a lock is known only to the process that acquired it, it ends immediately with that
 * process, and each lock takes a connection, so at most {@code maxLocks} locks are held. A pool in front of the server
 * that shares connections between transactions is harmless, because the transaction stays open. A cluster that locks
 * rows on each node separately breaks the exclusion; Galera and Group Replication in multi-primary mode are refused.
 * So are tables of MariaDB and MySQL whose storage engine has no row locks, such as MyISAM, and tables without a unique
 * key of {@code key_hash}.
 *
 * <p>The backend takes its connections from a pool that serves nothing else, of {@code maxLocks + 2 * connections + 1}
 * connections: {@link #withOwnPool} creates one.
 */
public final class RowLockBackend implements LockBackend, JdbcMonitored {

    private final RowLeases leases;

    private final boolean ownsLeases;

    private volatile boolean closed;

    /**
     * Creates a backend on a pool. It sends nothing to the database yet.
     *
     * @param pool a pool that serves only these locks; its owner closes it, after this backend
     * @param options how to use the database
     * @param nanoTime the monotonic clock, in nanoseconds, that decides when a lock was not renewed in time, such as
     *     {@code System::nanoTime}
     */
    public RowLockBackend(DataSource pool, RowLockOptions options, LongSupplier nanoTime) {
        this(new RowLeases(pool, false, options, nanoTime), true);
    }

    /**
     * Creates a backend with a HikariCP pool of its own. Closing the backend closes the pool.
     *
     * @param source where the pool's connections come from. If it is a HikariCP data source, only its settings for
     *     opening connections are used, and none of its connections. Any other data source must open a new connection
     *     on each call
     * @param options how to use the database
     * @param nanoTime the monotonic clock, in nanoseconds, that decides when a lock was not renewed in time
     */
    public static RowLockBackend withOwnPool(DataSource source, RowLockOptions options, LongSupplier nanoTime) {
        return new RowLockBackend(RowLeases.withOwnPool(source, options, nanoTime), true);
    }

    RowLockBackend(RowLeases leases) {
        this(leases, false);
    }

    private RowLockBackend(RowLeases leases, boolean ownsLeases) {
        this.leases = leases;
        this.ownsLeases = ownsLeases;
    }

    @Override
    public CompletionStage<Void> connect() {
        return unlessClosed(leases::connect).thenApply(connected -> null);
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        return unlessClosed(() -> leases.acquire(command));
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return unlessClosed(() -> leases.renew(commands));
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return unlessClosed(() -> leases.release(command));
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        return unlessClosed(leases::inspect);
    }

    @Override
    public CompletionStage<OptionalLong> clockMillis() {
        return unlessClosed(leases::clockMillis);
    }

    @Override
    public CompletionStage<LockState> describe(LockId id) {
        return unlessClosed(() -> leases.describe(id));
    }

    @Override
    public CompletionStage<LockListing> list(String namespace, int limit) {
        return unlessClosed(() -> leases.list(namespace, limit));
    }

    /**
     * Creates missing tables, and upgrades tables of an older version. Intended for start-up; blocks.
     *
     * @throws BackendFailure if the database refused or failed
     */
    public void initializeSchema() {
        Blocking.await(leases.initializeSchema());
    }

    /**
     * Verifies that the tables can be read and written. Intended for start-up; blocks.
     *
     * @throws BackendFailure if the database failed or refused to write, or if tables are missing or of an older
     *     version; in the latter two cases the message says how to create or upgrade them
     */
    public void requireSchema() {
        Blocking.await(leases.requireSchema());
    }

    @Override
    public JdbcLoad load() {
        return leases.load();
    }

    @Override
    public void publishPoolMeters(Object registry) {
        leases.publishPoolMeters(registry);
    }

    /** Closes the backend's connections, which releases the locks that they hold. */
    @Override
    public void close() {
        closed = true;
        if (ownsLeases) {
            leases.close();
        }
    }

    private <T> CompletionStage<T> unlessClosed(Supplier<CompletableFuture<T>> operation) {
        return closed
                ? CompletableFuture.failedFuture(new BackendFailure(Effect.NOT_DONE, "the backend is closed", null))
                : operation.get();
    }
}
