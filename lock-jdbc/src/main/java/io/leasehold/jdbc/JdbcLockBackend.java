package io.leasehold.jdbc;

import io.leasehold.ForcedRelease;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.jdbc.JdbcInspection.TableCheck;
import io.leasehold.jdbc.connection.Blocking;
import io.leasehold.jdbc.connection.DatabaseDialect;
import io.leasehold.jdbc.connection.JdbcExecutor;
import io.leasehold.jdbc.connection.JdbcExecutor.Urgency;
import io.leasehold.jdbc.connection.LockConnections;
import io.leasehold.jdbc.connection.LockDataSource;
import io.leasehold.jdbc.connection.SqlErrorTranslator;
import io.leasehold.jdbc.connection.SqlWork;
import io.leasehold.jdbc.table.BlockedRows;
import io.leasehold.jdbc.table.HandoffGracePeriod;
import io.leasehold.jdbc.table.LeaseOperations;
import io.leasehold.jdbc.table.LeaseRequest;
import io.leasehold.jdbc.table.LeaseRevocation;
import io.leasehold.jdbc.table.LeaseRow;
import io.leasehold.jdbc.table.LeaseStates;
import io.leasehold.jdbc.table.PostgresNotifyingLeaseTable;
import io.leasehold.jdbc.waiting.PostgresReleaseListener;
import io.leasehold.jdbc.waiting.ReleasePoller;
import io.leasehold.jdbc.waiting.WaiterQueue;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.support.RevocationListeners;
import io.leasehold.support.UnansweredRenewals;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * Keeps leases in a table of a relational database.
 *
 * <ol>
 *   <li>Only the database's clock decides whether a lease has expired. Expiry times and fencing tokens start at that
 *       clock's microseconds.
 *   <li>An acquisition of a free lock is one statement, whether the lock was used before or not. So is a release. Each
 *       statement is a transaction of its own, on a connection of this backend that callers'
 *       transactions never use.
 *   <li>A statement that was rolled back because of another transaction is repeated. If the connection ends before the
 *       answer, the row is read on another connection. If the row has the lease's token, the answer is the one that the
 *       statement would have given; a grant is renewed first, so that a standby confirms it. Otherwise the outcome is
 *       unknown, since the statement may still be on its way.
 *   <li>Leases are renewed by one statement for each batch.
 * </ol>
 *
 * <p>Limits: a database that loses commits in a crash or a failover may grant a lock that is still held. The former
 * holder is notified at its next renewal. Fencing tokens keep rising as long as the clocks of primary and standby
 * differ by less than the failover takes. In a multi-writer cluster, the clocks of the nodes have to agree as well.
 *
 * <p>The backend takes its connections from a pool that serves nothing else: {@link #withOwnPool} creates one. A pool
 * that is passed to the constructor needs {@code connections + 3} connections, and one more in PostgreSQL, where one
 * connection listens for releases while callers wait. Connections are set up for locks on first use and are not
 * restored.
 */
public final class JdbcLockBackend implements LockBackend, JdbcMonitored {

    /**
     * How long waiters rely on the poller before they retry themselves. The poller reads the locks of all waiters with
     * one statement, so the load grows with the number of processes and not with the number of waiters.
     */
    private static final Duration WATCHED_FOR = Duration.ofSeconds(5);

    /** Two, so that a connection that hangs during a renewal does not delay the renewals of other leases. */
    private static final int RENEWALS_AT_ONCE = 2;

    private static final int CHORES_AT_ONCE = 1;

    /** A database that answers after this time is not considered to hang, however short a lease is. */
    private static final Duration SHORTEST_RENEWAL_TIMEOUT = Duration.ofMillis(100);

    /** How many rows one transaction removes; a small batch lets other work run in between. */
    private static final int PURGED_AT_ONCE = 500;

    /** How long one of these transactions may take: the last one reads the whole table. */
    private static final Duration LONGEST_PURGE = Duration.ofSeconds(30);

    private final JdbcLockOptions options;

    private final DataSource pool;

    private final boolean ownsPool;

    private final JdbcExecutor callers;

    private final JdbcExecutor renewals;

    private final JdbcExecutor chores;

    private final JdbcSchema schema;

    private final JdbcInspection inspection;

    private final LeaseOperations leases;

    private final LeaseStates states;

    private final LeaseRevocation revocations;

    private final BlockedRows blockedRows;

    private final ReleasePoller poller;

    private final RevocationListeners revocationListeners = new RevocationListeners();

    /**
     * Creates a backend on a pool. It sends nothing to the database yet.
     *
     * @param pool a pool that serves only these locks; its owner closes it, after this backend
     * @param options how to use the database
     * @param nanoTime a monotonic clock in nanoseconds, such as {@code System::nanoTime}
     */
    public JdbcLockBackend(DataSource pool, JdbcLockOptions options, LongSupplier nanoTime) {
        this(pool, false, options, nanoTime);
    }

    private JdbcLockBackend(DataSource pool, boolean ownsPool, JdbcLockOptions options, LongSupplier nanoTime) {
        this.options = options;
        this.pool = pool;
        this.ownsPool = ownsPool;
        schema = JdbcSchema.ofLeases(options.table());
        SqlErrorTranslator failures = new SqlErrorTranslator(schema);
        LockConnections lockConnections = new LockConnections(pool, options.lockWait(), options.commandTimeout());
        JdbcExecutor.Limits limits = new JdbcExecutor.Limits(options.queueTimeout(), options.commandTimeout());
        callers =
                new JdbcExecutor("leasehold-jdbc", options.connections(), lockConnections, failures, limits, nanoTime);
        renewals = new JdbcExecutor(
                "leasehold-jdbc-renewal", RENEWALS_AT_ONCE, lockConnections, failures, limits, nanoTime);
        chores = new JdbcExecutor("leasehold-jdbc-chores", CHORES_AT_ONCE, lockConnections, failures, limits, nanoTime);
        leases = new LeaseOperations(options.table(), new HandoffGracePeriod(nanoTime));
        states = new LeaseStates(leases);
        revocations = new LeaseRevocation(leases, this::notifyOfRevocation);
        blockedRows = new BlockedRows(leases);
        inspection = new JdbcInspection(schema, new TableCheck(options.table(), leases::check));
        WaiterQueue waiters = new WaiterQueue(nanoTime);
        PostgresReleaseListener listener = new PostgresReleaseListener(
                options.listenNotify(), lockConnections::open, chores, nanoTime, waiters::free, revocationListeners);
        poller = new ReleasePoller(options.pollInterval(), chores, leases, waiters, listener, nanoTime);
    }

    /**
     * Creates a backend with a small HikariCP pool of its own. Closing the backend closes the pool.
     *
     * @param source where the pool's connections come from. If it is a HikariCP data source, only its settings for
     *     opening connections are used, and none of its connections. Any other data source must open a new connection
     *     on each call
     * @param options how to use the database
     * @param nanoTime a monotonic clock in nanoseconds, such as {@code System::nanoTime}
     */
    public static JdbcLockBackend withOwnPool(DataSource source, JdbcLockOptions options, LongSupplier nanoTime) {
        // a renewal that hangs and another one that does not wait for it, while those of all callers and the poll hang
        int connections = options.connections() + RENEWALS_AT_ONCE + CHORES_AT_ONCE;
        int most = options.listenNotify() ? connections + 1 : connections;
        return new JdbcLockBackend(LockDataSource.over(source, "leasehold-jdbc", most), true, options, nanoTime);
    }

    @Override
    public CompletionStage<Void> connect() {
        return renewals.connect(() -> {}).thenApply(connected -> null);
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        LeaseRequest request = LeaseRequest.of(command, poller.isListening());
        CompletableFuture<Void> wakeup = new CompletableFuture<>();
        CompletableFuture<AcquireAnswer> answer = callers.submit(
                command,
                "acquiring " + command.id(),
                blockedRows.guarded(
                        command.id(),
                        session ->
                                answer(command, request, leases.acquire(session, request), session.dialect(), wakeup)),
                session -> leases.granted(session, request));
        // The work may find the lock busy after its caller has given up. Its wake-up completes here, before or after
        // it is queued.
        answer.handle((answered, failure) -> failure != null && wakeup.complete(null));
        return answer;
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        Duration timeout = renewalTimeout(commands);
        SqlWork<List<RenewAnswer>> renew = session -> {
            session.waitForAnswers(timeout);
            return leases.renew(session, commands);
        };
        CompletableFuture<List<RenewAnswer>> renewed =
                renewals.submit(Urgency.PATIENT, "renewing leases", renew, session -> Optional.of(renew.run(session)));
        // registered before the dependents of the caller, so that it runs after them: an appender may block
        renewed.thenAccept(answers -> UnansweredRenewals.log(
                JdbcLockBackend.class,
                Collections.frequency(answers, RenewAnswer.UNKNOWN),
                answers.size(),
                "another transaction has locked their rows"));
        return renewed;
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return callers.submit(
                Urgency.FIRST,
                command.id(),
                "releasing " + command.id(),
                blockedRows.guarded(command.id(), session -> leases.release(session, command)),
                session -> leases.released(session, command));
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        return chores.submit("inspecting the database", inspection::of);
    }

    @Override
    public CompletionStage<OptionalLong> clockMillis() {
        return chores.submit("reading the database's clock", JdbcInspection::clockMillis);
    }

    @Override
    public CompletionStage<LockState> describe(LockId id) {
        return callers.submit("reading the holder of " + id, session -> states.describe(session, id));
    }

    @Override
    public CompletionStage<ForcedRelease.Outcome> revoke(LockId id, long fencingToken) {
        return callers.submit("revoking " + id, session -> revocations.revoke(session, id, fencingToken));
    }

    /** Sends the hint as separate work, so that the revocation neither waits for it nor fails with it. */
    private void notifyOfRevocation(String token) {
        chores.submit(
                "notifying of a revocation", session -> PostgresNotifyingLeaseTable.notifyOfRevocation(session, token));
    }

    @Override
    public void onRevocation(LongConsumer listener) {
        revocationListeners.add(listener);
    }

    @Override
    public CompletionStage<LockListing> list(String namespace, int limit) {
        return forLongScans()
                .submitScan("listing the locks of " + namespace, session -> states.list(session, namespace, limit));
    }

    /** Not the chores, since waiting callers would not be woken during the scan; but rather that than no lock. */
    private JdbcExecutor forLongScans() {
        return options.connections() == 1 ? chores : callers;
    }

    /**
     * Creates the lease table if it is missing, and upgrades a table of an older version. Intended for start-up;
     * blocks.
     *
     * @throws BackendFailure if the database refused or failed
     */
    public void initializeSchema() {
        Blocking.await(chores.<Boolean>submit("creating table " + options.table(), session -> {
            schema.create(session, inspection::requireTables);
            return true;
        }));
    }

    /**
     * Verifies that the lease table can be read and written. Intended for start-up; blocks.
     *
     * @throws BackendFailure if the database failed or refused to write, or if the table is missing or of an older
     *     version; in the latter two cases the message says how to create or upgrade it
     */
    public void requireSchema() {
        Blocking.await(chores.submit("looking for table " + options.table(), inspection::requireTables));
    }

    /**
     * Removes rows of locks that are free and whose last grant is older than the retention, one batch at a time. A row
     * whose fencing tokens are not far enough behind the database's time is kept, so that tokens keep rising across a
     * removal.
     *
     * @return how many rows were removed
     */
    public CompletionStage<Integer> purge() {
        return purgeAfter(0);
    }

    @Override
    public JdbcLoad load() {
        return new JdbcLoad(
                callers.queued(), callers.active(), options.connections(), callers.notSent(), callers.notAnswered());
    }

    @Override
    public void publishPoolMeters(Object registry) {
        if (ownsPool) {
            LockDataSource.publishMeters(pool, registry);
        }
    }

    /**
     * Closes the backend, and its pool if the backend created it. Operations that were submitted before may still
     * complete: each executor waits up to two seconds for them.
     */
    @Override
    public void close() {
        poller.close();
        callers.close();
        renewals.close();
        chores.close();
        if (ownsPool) {
            LockDataSource.close(pool);
        }
    }

    /**
     * How long a renewal waits for an answer before its connection is closed: a third of the ttl, which is the longest
     * that the engine waits. The renewal can then be repeated on another connection while the lease is valid.
     */
    private Duration renewalTimeout(List<RenewCommand> commands) {
        Duration timeout = options.commandTimeout();
        for (RenewCommand command : commands) {
            Duration third = command.ttl().dividedBy(3);
            Duration enough = third.compareTo(SHORTEST_RENEWAL_TIMEOUT) < 0 ? SHORTEST_RENEWAL_TIMEOUT : third;
            timeout = enough.compareTo(timeout) < 0 ? enough : timeout;
        }
        return timeout;
    }

    private CompletionStage<Integer> purgeAfter(int removed) {
        long retention = LeaseRequest.micros(options.retention());
        return forLongScans()
                .submitScan("purging " + options.table(), session -> {
                    session.waitForAnswers(LONGEST_PURGE);
                    return leases.table(session).purge(session, retention, PURGED_AT_ONCE);
                })
                .thenCompose(batch -> batch < PURGED_AT_ONCE
                        ? CompletableFuture.completedFuture(removed + batch)
                        : purgeAfter(removed + batch));
    }

    private AcquireAnswer answer(
            AcquireCommand command,
            LeaseRequest request,
            LeaseRow row,
            DatabaseDialect dialect,
            CompletableFuture<Void> wakeup) {
        AcquireAnswer answer = leases.answer(request, row);
        if (answer instanceof Busy busy && command.queueIfBusy() && poller.isOn()) {
            poller.join(request.key(), row, dialect, wakeup);
            return new Busy(busy.remaining(), wakeup, false, WATCHED_FOR);
        }
        return answer;
    }
}
