package io.leasehold.jdbc.connection;

import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.support.DaemonThreads;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs SQL work on a few threads, each with one connection at a time. The threads are never callers' threads, so work
 * never joins a caller's transaction.
 *
 * <ol>
 *   <li>Work that waits in the queue for longer than it may, or is cancelled there, is not sent, and so it was not
 *       done. Without this limit, work would be sent although its caller gives up before the answer arrives, and more
 *       work would be needed to remove what it may have left in the database.
 *   <li>Releases are executed before acquisitions, because they make locks available.
 *   <li>For each lock, only one piece of work is sent at a time. A row that another transaction keeps locked therefore
 *       blocks one connection, and the others serve other locks. Scans of the table, which may take long, are also sent
 *       one at a time.
 * </ol>
 *
 * <p>{@link SqlRunner} runs the work on a connection.
 */
public final class JdbcExecutor implements AutoCloseable {

    private static final int QUEUE = 10_000;

    /** The lock of all scans, which equals no lock. */
    private static final Object SCANS = new Object();

    private final LongAdder notSent = new LongAdder();

    private final WorkByLock<Call<?>> byLock = new WorkByLock<>();

    private final AtomicLong numbers = new AtomicLong();

    private final SqlRunner runner;

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
        this.runner = new SqlRunner(sessions, failures, limits.connection(), nanoTime);
        this.limits = limits;
        this.nanoTime = nanoTime;
        threads = new ThreadPoolExecutor(
                size, size, 30, TimeUnit.SECONDS, new PriorityBlockingQueue<>(), DaemonThreads.named(name));
        threads.allowCoreThreadTimeOut(true);
    }

    public <T> CompletableFuture<T> submit(String what, SqlWork<T> work) {
        return submit(Urgency.PATIENT, what, work, session -> Optional.empty());
    }

    /** Like the method above, for work that may scan the table: it runs after all such work that has begun before. */
    public <T> CompletableFuture<T> submitScan(String what, SqlWork<T> work) {
        return submit(new Call<>(Urgency.PATIENT, limits.queue(), SCANS, what, work, session -> Optional.empty()));
    }

    /**
     * Runs work on the next free thread. The future fails as "not done" if it is cancelled before the work has begun.
     *
     * @param urgency when the work runs
     * @param what names the work in messages
     * @param work what to do; repeated after a rollback
     * @param afterNoAnswer determines, on another connection, the outcome of work that was not answered; empty if the
     *     outcome cannot be determined
     */
    public <T> CompletableFuture<T> submit(
            Urgency urgency, String what, SqlWork<T> work, SqlWork<Optional<T>> afterNoAnswer) {
        return submit(urgency, null, what, work, afterNoAnswer);
    }

    /** Like the method above, for work on a lock: it runs after all work on the same lock that has begun before. */
    public <T> CompletableFuture<T> submit(
            Urgency urgency, @Nullable LockId lock, String what, SqlWork<T> work, SqlWork<Optional<T>> afterNoAnswer) {
        return submit(new Call<>(urgency, limits.queue(), lock, what, work, afterNoAnswer));
    }

    /**
     * Like the method above, for an acquisition. It is not sent after half of its command timeout, even if the queue
     * allows a longer wait. Under overload, the queue would otherwise hand out only acquisitions whose callers give up
     * before the answer, and none would succeed for as long as callers retry.
     */
    public <T> CompletableFuture<T> submit(
            AcquireCommand command, String what, SqlWork<T> work, SqlWork<Optional<T>> afterNoAnswer) {
        Duration half = command.commandTimeout().dividedBy(2);
        Duration longest = half.compareTo(limits.queue()) < 0 ? half : limits.queue();
        return submit(new Call<>(Urgency.SOON, longest, command.id(), what, work, afterNoAnswer));
    }

    private <T> CompletableFuture<T> submit(Call<T> call) {
        if (queued() >= QUEUE) {
            notSent.increment();
            call.reject(QUEUE + " operations are waiting already");
            return call;
        }
        try {
            threads.execute(call);
        } catch (RejectedExecutionException ex) {
            call.reject("the backend is closed");
        } catch (Throwable ex) {
            // as if no thread could be created: callers of this method rely on the end of the call
            call.reject("no thread runs it: " + ex);
        }
        return call;
    }

    /** Opens a connection, which may take longer than any other work, and runs an action while it is borrowed. */
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

    /** The work that waits for a thread. */
    public int queued() {
        return threads.getQueue().size();
    }

    /** The work in progress, each on one connection. */
    public int active() {
        return threads.getActiveCount();
    }

    /** How much work was not sent so far, because it waited for too long or the queue was full. */
    public long notSent() {
        return notSent.sum();
    }

    /** How much work was sent and not answered so far. */
    public long notAnswered() {
        return runner.notAnswered();
    }

    /** Accepts no new work, and waits up to two seconds for queued work to finish; then the rest fails. */
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

    /** When queued work runs. */
    public enum Urgency {

        /** Before all other work. */
        FIRST,

        /** In queue order, unless it waits for too long. */
        SOON,

        /** In queue order, however long the wait. */
        PATIENT,

        /** In queue order, however long the wait; opening a connection may take longer than for other work. */
        CONNECTING
    }

    /**
     * How long work waits before it is sent.
     *
     * @param queue the longest time that work of urgency {@link Urgency#SOON} waits for a thread
     * @param connection how long a thread waits for a connection
     */
    public record Limits(Duration queue, Duration connection) {}

    /** A piece of work and the future of its result. */
    private final class Call<T> extends CompletableFuture<T>
            implements Runnable, Comparable<Call<?>>, SqlRunner.Caller {

        private static final Comparator<Call<?>> ORDER = Comparator.<Call<?>>comparingInt(
                        call -> call.urgency == Urgency.FIRST ? 0 : 1)
                .thenComparingLong(call -> call.number);

        private final Urgency urgency;

        private final Duration longestWait;

        private final @Nullable Object lock;

        private final SqlRunner.Task<T> task;

        private final long number = numbers.incrementAndGet();

        private final long since = nanoTime.getAsLong();

        /** Whether earlier work on the same lock was in progress when a thread was free for this one. */
        private volatile boolean behindOther;

        /** Set by the first of two: the thread that sends the work, or the caller that gives up. */
        private final AtomicBoolean decided = new AtomicBoolean();

        private Call(
                Urgency urgency,
                Duration longestWait,
                @Nullable Object lock,
                String what,
                SqlWork<T> work,
                SqlWork<Optional<T>> afterNoAnswer) {
            this.urgency = urgency;
            this.longestWait = longestWait;
            this.lock = lock;
            this.task = new SqlRunner.Task<>(urgency, what, work, afterNoAnswer);
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
            threads.remove(this);
            // The compare-and-set above was won, so no thread will send this work: "not done" is certain.
            notSent.increment();
            return reject(
                    "it waited for " + awaited() + " for " + waited().toMillis() + " ms, until its caller gave up");
        }

        @Override
        public boolean isWaiting() {
            return !isDone();
        }

        @Override
        public boolean begin() {
            return decided.compareAndSet(false, true);
        }

        @Override
        public void run() {
            Object wanted = lock;
            if (wanted == null) {
                doWork();
                return;
            }
            // before it is queued there: from then on, another thread may run or cancel it
            behindOther = true;
            if (byLock.claim(wanted, this)) {
                behindOther = false;
                doWorkOn(wanted);
            }
        }

        private String awaited() {
            String earlier = lock == SCANS ? "an earlier scan of the table" : "earlier work on the same lock";
            return behindOther ? earlier : "a connection";
        }

        /** Runs this work and all work that is queued behind it meanwhile. */
        private void doWorkOn(Object taken) {
            Call<?> call = this;
            while (call != null) {
                call.doWork();
                call = byLock.next(taken);
            }
        }

        private void doWork() {
            if (isDone()) {
                return;
            }
            try {
                if (urgency == Urgency.SOON && waited().compareTo(longestWait) > 0) {
                    notSent.increment();
                    throw task.notBegun("it waited for " + awaited() + " for " + waited().toMillis() + " ms", null);
                }
                runner.run(task, this).ifPresent(this::complete);
            } catch (Throwable ex) {
                completeExceptionally(ex);
            }
        }

        private boolean reject(String why) {
            return completeExceptionally(task.notBegun(why, null));
        }

        private Duration waited() {
            return Duration.ofNanos(nanoTime.getAsLong() - since);
        }
    }
}
