package io.leasehold.backend.jdbc;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * Keeps leases in a table of a relational database.
 *
 * <ol>
 *   <li>Whether a lease has expired is for the database's clock alone; it and the fencing tokens begin at that clock's
 *       microseconds.
 *   <li>To acquire is one statement where a lock was used before, and so is to release, or two if PostgreSQL has to tell
 *       somebody of it; each is a transaction of its own, on a connection of this backend's own that callers' transactions
 *       never see.
 *   <li>A statement that was rolled back for the sake of another transaction is repeated. If the connection ends before
 *       the answer, the row is read on another: a row with the lease's token answers as the statement would have;
 *       without it the outcome is unknown, since the statement may still be on its way.
 *   <li>Leases are renewed by one statement for each batch.
 * </ol>
 *
 * <p>What can break it: a database that loses commits in a crash or a failover gives a lock away that is still held;
 * its holder is told at the next renewal, and fencing tokens keep rising as long as the clocks of primary and standby
 * agree to within the time that the failover takes. In a multi-writer cluster, the clocks of its nodes have to agree as
 * well.
 *
 * <p>It opens its connections when they are first needed and does not give them back before it is closed. So give it a
 * data source of its own, which need not be a pool, or enlarge the application's pool by {@code connections} and one, in
 * PostgreSQL by one more: while somebody waits, it keeps a connection on which it is told of releases. Call
 * {@link #requireSchema()} at start-up: it then has a connection before transactions that wait for locks have them all.
 */
public final class JdbcLockBackend implements LockBackend {

    /** The last session is for renewals and other work that nobody waits for. */
    private static final int SPARE = 1;

    private final JdbcLockOptions options;

    private final SessionPool sessions;

    private final Lane callers;

    private final Lane renewals;

    private final Lane chores;

    private final Schema schema;

    private final Leases leases;

    private final TurnWatch turns;

    /**
     * Creates a backend; the database is not asked for anything yet.
     *
     * @param dataSource where the connections come from; closed by its owner, after this backend
     * @param options how to use it
     * @param nanoTime a monotonic clock in nanoseconds, such as {@code System::nanoTime}; it tells how long a
     *     connection has been idle
     */
    public JdbcLockBackend(DataSource dataSource, JdbcLockOptions options, LongSupplier nanoTime) {
        this.options = options;
        schema = new Schema("schema", new JdbcLockOptions().table(), options.table());
        SqlFailures failures = new SqlFailures(schema);
        int most = options.connections() + 1;
        sessions = new SessionPool(dataSource, options.lockWait(), options.commandTimeout(), most, most, nanoTime);
        Semaphore room = new Semaphore(options.connections());
        callers = new Lane("leasehold-jdbc", options.connections(), room, SPARE, sessions, failures);
        renewals = new Lane("leasehold-jdbc-renewal", 1, sessions, failures);
        chores = new Lane("leasehold-jdbc-chores", 1, sessions, failures);
        leases = new Leases(options.table(), new Courtesy(nanoTime));
        Turns waiting = new Turns();
        Notices notices = new Notices(
                options.listen(),
                () -> Session.open(dataSource, options.lockWait(), options.commandTimeout()),
                chores,
                nanoTime,
                released -> waiting.released(RowKey.of(released)));
        turns = new TurnWatch(options.hintInterval(), chores, leases, waiting, notices, nanoTime);
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        LeaseRequest request = LeaseRequest.of(command, turns.hears());
        return callers.submit(
                "acquiring " + command.id(),
                session -> answer(command, request, leases.acquire(session, request), session.dialect()),
                session -> leases.granted(session, request));
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        SqlWork<List<RenewAnswer>> renew = session -> leases.renew(session, commands);
        return renewals.submit(
                "renewing " + commands.size() + " leases", renew, session -> Optional.of(renew.run(session)));
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return callers.submit(
                "releasing " + command.id(),
                session -> leases.release(session, command),
                session -> leases.released(session, command));
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        return chores.submit(
                "inspecting the database", session -> new Inspection(schema, options.table(), leases).of(session));
    }

    @Override
    public CompletionStage<OptionalLong> clockMillis() {
        return chores.submit("reading the database's clock", Inspection::clockMillis);
    }

    /**
     * Creates the lease table unless it is there. For start-up; blocks.
     *
     * @throws BackendFailure if the database refused or failed
     */
    public void initializeSchema() {
        Blocking.await(chores.<Boolean>submit("creating table " + options.table(), session -> {
            schema.create(session);
            return true;
        }));
    }

    /**
     * Makes sure that the lease table can be read. For start-up; blocks.
     *
     * @throws BackendFailure if the database failed, or has no such table; then the message says how to create it
     */
    public void requireSchema() {
        Blocking.await(chores.submit(
                "looking for table " + options.table(),
                session -> leases.table(session).read(session, new byte[32]).isPresent()));
    }

    /**
     * Removes rows of locks that are free and were last granted longer ago than the retention, a batch at a time. A row
     * whose fencing tokens are not far behind the database's time stays, so that tokens rise across its removal.
     *
     * @return how many rows were removed
     */
    public CompletionStage<Integer> purge() {
        return new Purge(options, chores, leases).run();
    }

    /** Closes the backend's connections, or gives them back to their pool; what was asked before is done first. */
    @Override
    public void close() {
        turns.close();
        callers.close();
        renewals.close();
        chores.close();
        sessions.close();
    }

    private AcquireAnswer answer(AcquireCommand command, LeaseRequest request, LeaseRow row, Dialect dialect) {
        AcquireAnswer answer = leases.answer(request, row);
        return answer instanceof Busy busy && command.willWait() && turns.isOn()
                ? new Busy(busy.remaining(), turns.join(request.key(), row, dialect), false)
                : answer;
    }
}
