package io.leasehold.jdbc.row;

import io.leasehold.jdbc.connection.Blocking;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
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
 * held, on a connection that it has to itself.
 *
 * <ol>
 *   <li>The row is locked without waiting; its fencing tokens are reserved afterwards and committed at once.
 *   <li>To renew is to hear from the connection. A connection that does not answer has lost its lock.
 *   <li>A lock that was not renewed for its ttl is let go by this process, and by the server if that does not come to
 *       it. So the ttl begins anew with each sign of life, by this process's clock or by the server's.
 *   <li>Whoever ends the connection ends the lock: the process, the server, a proxy in between, an operator.
 * </ol>
 *
 * <p>What it promises less than a lease: a lock is known to the process that took it and to no other, it ends with that
 * process at once, and each takes a connection, so that no more than {@code maxHeld} are taken. What can break it: a pool
 * in front of the server that shares connections between transactions is harmless, as the transaction stays open, but a
 * cluster that locks rows on each node for itself is not; Galera is refused.
 *
 * <p>Its connections come from a pool that serves nothing else, of {@code maxHeld + 2 * connections + 1} connections:
 * {@link #withOwnPool} makes one.
 */
public final class RowLockBackend implements LockBackend {

    private final RowLeases leases;

    private final boolean ownsLeases;

    private volatile boolean closed;

    /**
     * Creates a backend on a pool; the database is not asked for anything yet.
     *
     * @param pool a pool that serves nothing but these locks; closed by its owner, after this backend
     * @param options how to use it
     * @param nanoTime the monotonic clock that decides when a lock was not renewed in time, in nanoseconds, such as
     *     {@code System::nanoTime}
     */
    public RowLockBackend(DataSource pool, RowLockOptions options, LongSupplier nanoTime) {
        this(new RowLeases(pool, () -> {}, options, nanoTime), true);
    }

    /**
     * Creates a backend with a HikariCP pool of its own, which is closed with it.
     *
     * @param source where the pool's connections come from. Of a HikariCP data source it takes the settings with which
     *     connections are opened and never a connection; any other has to open a new connection each time it is asked
     * @param options how to use the database
     * @param nanoTime the monotonic clock that decides when a lock was not renewed in time, in nanoseconds
     * @return the backend
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

    /**
     * Creates the tables unless they are there, and upgrades those of an older version. For start-up; blocks.
     *
     * @throws BackendFailure if the database refused or failed
     */
    public void initializeSchema() {
        Blocking.await(leases.initializeSchema());
    }

    /**
     * Makes sure that the tables can be read and written. For start-up; blocks.
     *
     * @throws BackendFailure if the database failed, refused to write, or has no such tables or those of an older version;
     *     then the message says how to create or upgrade them
     */
    public void requireSchema() {
        Blocking.await(leases.requireSchema());
    }

    /** Closes the backend's connections, which ends the locks that they hold. */
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
