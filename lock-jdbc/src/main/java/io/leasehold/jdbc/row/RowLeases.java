package io.leasehold.jdbc.row;

import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.jdbc.JdbcInspection;
import io.leasehold.jdbc.JdbcInspection.TableCheck;
import io.leasehold.jdbc.JdbcLoad;
import io.leasehold.jdbc.JdbcSchema;
import io.leasehold.jdbc.connection.Blocking;
import io.leasehold.jdbc.connection.JdbcExecutor;
import io.leasehold.jdbc.connection.LockConnection;
import io.leasehold.jdbc.connection.LockConnections;
import io.leasehold.jdbc.connection.LockDataSource;
import io.leasehold.jdbc.connection.SqlErrorTranslator;
import io.leasehold.jdbc.table.LeaseOperations;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.spi.Token;
import io.leasehold.support.DaemonThreads;
import io.leasehold.support.UnansweredRenewals;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The row locks of this process and the connections that hold them. */
public final class RowLeases implements AutoCloseable {

    private static final Duration LONGEST_LOCK_WAIT = Duration.ofSeconds(1);

    private static final long PUBLISH_MILLIS = 200;

    private static final long LONGEST_RENEWAL_MILLIS = 500;

    private final JdbcSchema schema;

    private final JdbcInspection inspection;

    private final HeldRows heldRows;

    private final Map<AcquireCommand, CompletableFuture<AcquireAnswer>> attempts = new ConcurrentHashMap<>();

    private final Map<ReleaseCommand, CompletableFuture<ReleaseAnswer>> releases = new ConcurrentHashMap<>();

    private final DataSource pool;

    private final boolean ownsPool;

    private final int connections;

    private final JdbcExecutor rowExecutor;

    private final JdbcExecutor fenceExecutor;

    private final ThreadPoolExecutor heartbeats;

    /** Of their own, since each renewal may hang until its row is over. */
    private final ThreadPoolExecutor endings;

    private final RowAcquisition acquisition;

    private final LeaseOperations fences;

    private final RowStates states;

    private final LongSupplier nanoTime;

    RowLeases(DataSource pool, boolean ownsPool, RowLockOptions options, LongSupplier nanoTime) {
        this.pool = pool;
        this.ownsPool = ownsPool;
        this.connections = options.connections();
        this.nanoTime = nanoTime;
        schema = JdbcSchema.ofRowLocks(options.table());
        SqlErrorTranslator failures = new SqlErrorTranslator(schema);
        LockConnections sessions = new LockConnections(pool, lockWait(options), options.commandTimeout());
        JdbcExecutor.Limits limits = new JdbcExecutor.Limits(options.queueTimeout(), options.commandTimeout());
        rowExecutor = new JdbcExecutor("leasehold-rows", options.connections(), sessions, failures, limits, nanoTime);
        fenceExecutor = new JdbcExecutor("leasehold-rows-fence", 1, sessions, failures, limits, nanoTime);
        heartbeats = threads("leasehold-rows-beat", options.maxLocks());
        endings = threads("leasehold-rows-end", options.maxLocks());
        heldRows = new HeldRows(options.maxLocks(), endings);
        fences = new LeaseOperations(options.fenceTable(), null);
        states = new RowStates(options.table(), fences);
        RowLockStatements rows = new RowLockStatements(options.table());
        inspection = new JdbcInspection(
                schema,
                new TableCheck(options.table(), rows::check),
                new TableCheck(options.fenceTable(), fences::check));
        acquisition = new RowAcquisition(rows, fenceExecutor, fences, nanoTime);
    }

    /** Shorter than a connection waits for an answer, so that the database ends the wait for a row. */
    private static Duration lockWait(RowLockOptions options) {
        Duration half = options.commandTimeout().dividedBy(2);
        return half.compareTo(LONGEST_LOCK_WAIT) < 0 ? half : LONGEST_LOCK_WAIT;
    }

    private static ThreadPoolExecutor threads(String name, int most) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                most, most, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named(name));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Creates a pool of its own: one connection for each lock and each attempt, and one for fencing tokens. */
    static RowLeases withOwnPool(DataSource source, RowLockOptions options, LongSupplier nanoTime) {
        int most = options.maxLocks() + 2 * options.connections() + 1;
        return new RowLeases(LockDataSource.over(source, "leasehold-rows", most), true, options, nanoTime);
    }

    CompletableFuture<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        AtomicReference<@Nullable Throwable> unexpected = new AtomicReference<>();
        List<CompletableFuture<RenewAnswer>> answers = new ArrayList<>();
        for (RenewCommand command : commands) {
            answers.add(renew(command)
                    .exceptionally(failure -> {
                        unexpected.set(failure instanceof CompletionException ? failure.getCause() : failure);
                        return RenewAnswer.UNKNOWN;
                    })
                    .completeOnTimeout(RenewAnswer.UNKNOWN, renewalTimeoutMillis(command), TimeUnit.MILLISECONDS));
        }
        CompletableFuture<List<RenewAnswer>> renewed = new CompletableFuture<>();
        CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new)).thenRun(() -> {
            List<RenewAnswer> given =
                    answers.stream().map(CompletableFuture::join).toList();
            renewed.complete(given);
            // Not awaited: waiters read it, and the holder's validity does not depend on it.
            fenceExecutor.submit("renewing leases", session -> fences.renew(session, commands));
            // last: an appender may block
            Throwable failure = unexpected.get();
            UnansweredRenewals.log(
                    RowLockBackend.class,
                    Collections.frequency(given, RenewAnswer.UNKNOWN),
                    given.size(),
                    failure == null ? "the connection that holds the row did not answer in time" : failure.toString());
        });
        return renewed;
    }

    /** Submits a command once, however often it is sent: a repeated one is answered when the row has ended. */
    CompletableFuture<ReleaseAnswer> release(ReleaseCommand command) {
        return releases.computeIfAbsent(command, this::submit)
                // of its own: a caller that gives up cancels it
                .copy();
    }

    private CompletableFuture<ReleaseAnswer> submit(ReleaseCommand command) {
        // not when the row is kept, which may be after a renewal that takes long
        long keepUntil = nanoTime.getAsLong() + command.retainFor().toNanos();
        return CompletableFuture.supplyAsync(
                        () -> CompletableFuture.completedFuture(command)
                                .thenCompose(known -> end(known, keepUntil))
                                // before the answer: a later release finds nothing
                                .whenComplete((answer, failure) -> releases.remove(command)),
                        endings)
                .thenCompose(Function.identity());
    }

    CompletableFuture<List<SafetyFinding>> inspect() {
        return fenceExecutor.submit("inspecting the database", inspection::of);
    }

    CompletableFuture<OptionalLong> clockMillis() {
        return fenceExecutor.submit("reading the database's clock", JdbcInspection::clockMillis);
    }

    CompletableFuture<LockState> describe(LockId id) {
        return fenceExecutor.submit("reading the holder of " + id, session -> states.describe(session, id));
    }

    /** Not with the fencing tokens, for which acquisitions would wait during a long scan. */
    CompletableFuture<LockListing> list(String namespace, int limit) {
        return rowExecutor.submitScan(
                "listing the locks of " + namespace, session -> states.list(session, namespace, limit));
    }

    CompletableFuture<Boolean> initializeSchema() {
        return fenceExecutor.submit("creating the tables of row locks", session -> {
            schema.create(session, inspection::requireTables);
            return true;
        });
    }

    CompletableFuture<Boolean> requireSchema() {
        return fenceExecutor.submit("looking for the tables of row locks", inspection::requireTables);
    }

    JdbcLoad load() {
        return new JdbcLoad(
                rowExecutor.queued(),
                rowExecutor.active(),
                connections,
                rowExecutor.notSent(),
                rowExecutor.notAnswered());
    }

    void publishPoolMeters(Object registry) {
        if (ownsPool) {
            LockDataSource.publishMeters(pool, registry);
        }
    }

    /** Releases all rows, regardless of their holders. */
    void endAll() {
        heldRows.endAll();
    }

    @Override
    public void close() {
        rowExecutor.close();
        heldRows.close();
        heartbeats.shutdown();
        endings.shutdown();
        fenceExecutor.close();
        if (ownsPool) {
            LockDataSource.close(pool);
        }
    }

    /** Submits a command once, however often it is sent. A command that is cancelled in the queue is not sent. */
    CompletableFuture<AcquireAnswer> acquire(AcquireCommand command) {
        CompletableFuture<AcquireAnswer> answer = attempts.computeIfAbsent(command, this::submit);
        // Registered after computeIfAbsent, which must not be re-entered by an answer that is already complete.
        answer.whenComplete((taken, failure) -> attempts.remove(command, answer));
        return answer;
    }

    /** Opens the two connections that the first lock takes: one that holds the row, and one for fencing tokens. */
    CompletableFuture<Boolean> connect() {
        return rowExecutor.connect(() -> Blocking.await(fenceExecutor.connect(() -> {})));
    }

    private CompletableFuture<AcquireAnswer> submit(AcquireCommand command) {
        AtomicBoolean unwanted = new AtomicBoolean();
        CompletableFuture<AcquireAnswer> answer = rowExecutor.submit(
                command,
                "locking the row of " + command.id(),
                session -> take(session, command, unwanted),
                session -> Optional.empty());
        answer.whenComplete((taken, failure) -> unwanted.set(failure instanceof CancellationException));
        return answer;
    }

    /** Locks the row, and releases it again if the caller has given up in the meantime. */
    private AcquireAnswer take(LockConnection session, AcquireCommand command, AtomicBoolean unwanted)
            throws SQLException {
        AcquireAnswer taken = take(session, command);
        // Read after the row was added, so that a cancellation during the attempt is noticed here.
        HeldRow row = unwanted.get() ? heldRows.find(command.id(), command.token()) : null;
        if (row != null) {
            end(row, command.id(), command.token());
        }
        return taken;
    }

    private AcquireAnswer take(LockConnection session, AcquireCommand command) throws SQLException {
        RenewCommand renewal = new RenewCommand(command.id(), command.token(), command.ttl());
        HeldRow known = heldRows.find(command.id(), command.token());
        if (known != null && known.renew(command.ttl()) == RenewAnswer.RENEWED) {
            fences.renew(session, List.of(renewal));
            return new Granted(known.fence());
        }
        if (known != null) {
            end(known, command.id(), command.token());
        }
        heldRows.requireRoom(command.id());
        return acquisition.take(session, command, heldRows);
    }

    private CompletableFuture<RenewAnswer> renew(RenewCommand command) {
        HeldRow row = heldRows.find(command.id(), command.token());
        return row == null
                ? CompletableFuture.completedFuture(RenewAnswer.NOT_OWNER)
                : row.renew(command.ttl(), heartbeats);
    }

    /**
     * The time after which a renewal counts as unknown, so that one hanging connection does not delay the answers for
     * the other locks of the batch.
     */
    private static long renewalTimeoutMillis(RenewCommand command) {
        return Math.min(LONGEST_RENEWAL_MILLIS, Math.max(1, command.ttl().toMillis() / 12));
    }

    private CompletableFuture<ReleaseAnswer> end(ReleaseCommand command, long keepUntil) {
        LockId id = command.id();
        Token token = command.token();
        HeldRow row = heldRows.find(id, token);
        if (row == null) {
            return CompletableFuture.completedFuture(ReleaseAnswer.NOT_OWNER);
        }
        if (row.nanosToDeadline() <= 0) {
            end(row, id, token);
            return CompletableFuture.completedFuture(ReleaseAnswer.NOT_OWNER);
        }
        boolean isKept = !command.retainFor().isZero();
        CompletableFuture<Boolean> ending = isKept
                ? keep(row, command, keepUntil)
                // with the row, so that the next holder does not find the previous one in the fence row
                : CompletableFuture.completedFuture(
                        row.end(session -> fences.release(session, command) == ReleaseAnswer.RELEASED));
        return ending.thenApply(ended -> {
            heldRows.remove(id, token, row, isKept && ended);
            return ended ? ReleaseAnswer.RELEASED : ReleaseAnswer.NOT_OWNER;
        });
    }

    /** Keeps the row locked. The fence row shows how long, unless that cannot be written within {@value #PUBLISH_MILLIS} ms. */
    private CompletableFuture<Boolean> keep(HeldRow row, ReleaseCommand command, long until) {
        return fenceExecutor
                .submit("ending the lease of " + command.id(), session -> fences.release(session, command))
                .handle((done, failure) -> Boolean.TRUE)
                .completeOnTimeout(Boolean.TRUE, PUBLISH_MILLIS, TimeUnit.MILLISECONDS)
                .thenCompose(published -> row.keep(until, endings));
    }

    private void end(HeldRow row, LockId id, Token token) {
        row.end();
        heldRows.remove(id, token, row, false);
    }
}
