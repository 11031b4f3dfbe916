package io.leasehold.jdbc.connection;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.support.DaemonThreads;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A few threads that do SQL work, each with a session at a time. They are never a caller's thread, so no transaction of a
 * caller is ever joined.
 *
 * <ol>
 *   <li>Work that waits in the queue for longer than it may, or is cancelled there, is not sent and so not done. Time in
 *       the queue is not time on the wire: without this rule, work would be sent whose caller gives up before the answer
 *       comes, and what it may have left in the database would have to be removed by still more work.
 *   <li>Releases go before acquisitions, because they make room for them.
 *   <li>Of the work on one lock, one piece is sent at a time. A row that another transaction keeps locked so takes one
 *       connection, and the others serve other locks.
 *   <li>A statement that the database rolled back because another transaction was in its way is repeated after a pause, a
 *       few times, unless its caller has given up.
 * </ol>
 */
public final class JdbcExecutor implements AutoCloseable {

    private static final int QUEUE = 10_000;

    private static final int ATTEMPTS = 8;

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

    private static final long FIRST_PAUSE_NANOS = 2_000_000;

    private final Semaphore room = new Semaphore(QUEUE);

    /** The locks on which work is being done, each with the work that waits for it. */
    private final Map<LockId, Deque<Call<?>>> busy = new ConcurrentHashMap<>();

    private final AtomicLong numbers = new AtomicLong();

    private final LockConnections sessions;

    private final SqlErrorTranslator failures;

    private final Limits limits;

    private final LongSupplier nanoTime;

    private final ThreadPoolExecutor threads;

    public JdbcExecutor(
            String name,
            int size,
            LockConnections sessions,
            SqlErrorTranslator failures,
            Limits limits,
            LongSupplier nanoTime) {
        this.sessions = sessions;
        this.failures = failures;
        this.limits = limits;
        this.nanoTime = nanoTime;
        threads = new ThreadPoolExecutor(
                size, size, 30, TimeUnit.SECONDS, new PriorityBlockingQueue<>(), DaemonThreads.named(name));
        threads.allowCoreThreadTimeOut(true);
    }

    public <T> CompletableFuture<T> submit(String what, SqlWork<T> work) {
        return submit(Urgency.PATIENT, what, work, session -> Optional.empty());
    }

    /**
     * Has work done by the next free thread. The future ends with "not done" if it is cancelled before the work has begun.
     *
     * @param urgency when
     * @param what it is, for messages
     * @param work what to do; done again after a roll-back
     * @param afterNoAnswer looks, on another connection, what became of work that was not answered; empty if that
     *     cannot be told
     */
    public <T> CompletableFuture<T> submit(
            Urgency urgency, String what, SqlWork<T> work, SqlWork<Optional<T>> afterNoAnswer) {
        return submit(urgency, null, what, work, afterNoAnswer);
    }

    /** As above, for work on a lock: after all work on the same lock that was begun before. */
    public <T> CompletableFuture<T> submit(
            Urgency urgency, @Nullable LockId lock, String what, SqlWork<T> work, SqlWork<Optional<T>> afterNoAnswer) {
        Call<T> call = new Call<>(urgency, lock, what, work, afterNoAnswer);
        if (!room.tryAcquire()) {
            call.reject(QUEUE + " operations are waiting already");
            return call;
        }
        try {
            threads.execute(call);
        } catch (RejectedExecutionException ex) {
            room.release();
            call.reject("the backend is closed");
        }
        return call;
    }

    /**
     * Opens a session, which may take longer than any other work, and does something while it is open.
     *
     * @param meanwhile what to do
     */
    public CompletableFuture<Boolean> connect(Runnable meanwhile) {
        return submit(
                Urgency.CONNECTING,
                "connecting",
                session -> {
                    meanwhile.run();
                    return true;
                },
                session -> Optional.empty());
    }

    /** Lets what is queued finish for a moment; nothing new begins. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(2, TimeUnit.SECONDS)) {
                stop();
            }
        } catch (InterruptedException ex) {
            stop();
            Thread.currentThread().interrupt();
        }
    }

    private void stop() {
        for (Runnable waiting : threads.shutdownNow()) {
            ((Call<?>) waiting).reject("the backend is closed");
        }
    }

    /** Waits for a moment, which is longer with each attempt, so that somebody else can get out of the way. */
    public static void pause(int attempt) {
        long most = FIRST_PAUSE_NANOS << Math.min(attempt, 6);
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most) + 1);
    }

    /** When work is done that waits for a thread. */
    public enum Urgency {

        /** Before all other work. */
        FIRST,

        /** In its turn, if that comes soon. */
        SOON,

        /** In its turn, however long that takes. */
        PATIENT,

        /** In its turn, however long that takes, and opening a connection may take longer than work does. */
        CONNECTING
    }

    /**
     * How long work waits before it is sent.
     *
     * @param queue how long work that is to be done soon waits for a thread
     * @param connection how long a thread waits for a connection
     */
    public record Limits(Duration queue, Duration connection) {}

    /** Work and its answer. */
    private final class Call<T> extends CompletableFuture<T> implements Runnable, Comparable<Call<?>> {

        private static final Comparator<Call<?>> ORDER = Comparator.<Call<?>>comparingInt(
                        call -> call.urgency == Urgency.FIRST ? 0 : 1)
                .thenComparingLong(call -> call.number);

        private final Urgency urgency;

        private final @Nullable LockId lock;

        private final String what;

        private final SqlWork<T> work;

        private final SqlWork<Optional<T>> afterNoAnswer;

        private final long number = numbers.incrementAndGet();

        private final long since = nanoTime.getAsLong();

        /** Set by whichever comes first: the thread that sends the work, or the caller who gives up. */
        private final AtomicBoolean decided = new AtomicBoolean();

        private Call(
                Urgency urgency,
                @Nullable LockId lock,
                String what,
                SqlWork<T> work,
                SqlWork<Optional<T>> afterNoAnswer) {
            this.urgency = urgency;
            this.lock = lock;
            this.what = what;
            this.work = work;
            this.afterNoAnswer = afterNoAnswer;
        }

        @Override
        public int compareTo(Call<?> other) {
            return ORDER.compare(this, other);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            if (!decided.compareAndSet(false, true)) {
                return super.cancel(mayInterruptIfRunning);
            }
            if (threads.remove(this)) {
                room.release();
            }
            return reject("it waited for a connection for " + waited().toMillis() + " ms, until its caller gave up");
        }

        @Override
        public void run() {
            room.release();
            LockId wanted = lock;
            if (wanted == null) {
                doWork();
            } else if (takes(wanted)) {
                doWorkOn(wanted);
            }
        }

        /** Whether no work is being done on the lock; if there is, this is done after it. */
        private boolean takes(LockId wanted) {
            AtomicBoolean free = new AtomicBoolean();
            busy.compute(wanted, (id, waiting) -> {
                if (waiting == null) {
                    free.set(true);
                    return new ArrayDeque<>(2);
                }
                waiting.add(this);
                return waiting;
            });
            return free.get();
        }

        private void doWorkOn(LockId taken) {
            Call<?> call = this;
            while (call != null) {
                call.doWork();
                call = call.next(taken);
            }
        }

        /** The work that waits for the lock; the thread that has done this work does that as well. */
        private @Nullable Call<?> next(LockId taken) {
            AtomicReference<@Nullable Call<?>> next = new AtomicReference<>();
            busy.computeIfPresent(taken, (id, waiting) -> {
                next.set(waiting.poll());
                return next.get() == null ? null : waiting;
            });
            return next.get();
        }

        private void doWork() {
            try {
                if (urgency == Urgency.SOON && waited().compareTo(limits.queue()) > 0) {
                    throw notBegun("all connections were in use for " + waited().toMillis() + " ms", null);
                }
                attempt();
            } catch (Throwable ex) {
                completeExceptionally(ex);
            }
        }

        private boolean reject(String why) {
            return completeExceptionally(notBegun(why, null));
        }

        private Duration waited() {
            return Duration.ofNanos(nanoTime.getAsLong() - since);
        }

        private void attempt() {
            for (int attempt = 1; !isDone(); attempt++) {
                LockConnection session = open();
                if (session == null) {
                    return;
                }
                if (attempt == 1 && !decided.compareAndSet(false, true)) {
                    session.close();
                    return;
                }
                SQLException failure = carryOut(session);
                if (failure == null) {
                    return;
                }
                SqlError fault = SqlError.classify(failure, session.dialect());
                if (fault == SqlError.NO_ANSWER) {
                    complete(lookAfter(failure, session.dialect()));
                } else if (fault != SqlError.CONTENTION || attempt == ATTEMPTS) {
                    throw failures.of(what, fault, failure, session.dialect());
                }
                pause(attempt);
            }
        }

        /** Does the work on a session, which is closed afterwards; answers with the error of the database if it fails. */
        private @Nullable SQLException carryOut(LockConnection session) {
            try {
                T result = work.run(session);
                if (!session.isReserved()) {
                    session.close();
                }
                complete(result);
                return null;
            } catch (SQLException ex) {
                switch (SqlError.classify(ex, session.dialect())) {
                    case CONTENTION, ROW_LOCKED, DUPLICATE, MISSING_TABLE, MISSING_COLUMN, REFUSED -> session.close();
                    case NOT_DONE, NO_ANSWER -> session.discard();
                }
                return ex;
            } catch (BackendFailure ex) {
                session.close();
                throw ex;
            } catch (Throwable ex) {
                session.discard();
                throw ex;
            }
        }

        private T lookAfter(SQLException cause, DatabaseDialect dialect) {
            BackendFailure unknown = failures.of(what, SqlError.NO_ANSWER, cause, dialect);
            LockConnection session = null;
            try {
                session = sessions.open();
                Optional<T> known = afterNoAnswer.run(session);
                session.close();
                if (known.isPresent()) {
                    return known.get();
                }
            } catch (SQLException ex) {
                unknown.addSuppressed(ex);
                if (session != null) {
                    session.discard();
                }
            }
            throw unknown;
        }

        /** A session; {@code null} if the caller has given up meanwhile. */
        private @Nullable LockConnection open() {
            Duration longest = urgency == Urgency.CONNECTING ? LONGEST_CONNECT : limits.connection();
            long start = nanoTime.getAsLong();
            for (int attempt = 1; ; attempt++) {
                try {
                    return sessions.open();
                } catch (SQLTransientConnectionException ex) {
                    if (isDone()) {
                        return null;
                    }
                    if (isFinal(ex.getCause())
                            || urgency == Urgency.CONNECTING && isNobodyThere(ex)
                            || nanoTime.getAsLong() - start > longest.toNanos()) {
                        throw notBegun("no connection to the database: " + reason(ex), ex);
                    }
                    pause(attempt);
                } catch (SQLException ex) {
                    throw notBegun("no connection to the database: " + ex.getMessage(), ex);
                }
            }
        }

        private BackendFailure notBegun(String why, @Nullable Throwable cause) {
            return new BackendFailure(Effect.NOT_DONE, what + " was not begun: " + why, cause);
        }

        /** The pool says that it has no connection, and its cause why. */
        private static String reason(SQLException ex) {
            return String.valueOf((ex.getCause() == null ? ex : ex.getCause()).getMessage());
        }

        /** Whether nothing listens at the address: then the caller is told why now, and may ask again. */
        private static boolean isNobodyThere(Throwable ex) {
            for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
                if (cause instanceof ConnectException || cause instanceof UnknownHostException) {
                    return true;
                }
            }
            return false;
        }

        /** Whether the database has refused the connection for a reason that lasts, such as a wrong password. */
        private boolean isFinal(@Nullable Throwable cause) {
            String state = cause instanceof SQLException failure ? failure.getSQLState() : null;
            return state != null && (state.startsWith("28") || state.startsWith("3D"));
        }
    }
}
