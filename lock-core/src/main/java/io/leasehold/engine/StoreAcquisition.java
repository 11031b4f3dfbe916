package io.leasehold.engine;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.support.LeaseValidity;
import io.leasehold.support.SafeCancellation;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The commands and answers by which the caller at the head of a {@link LocalQueue} acquires a lease from the store.
 *
 * <ol>
 *   <li>It sends an acquire command with a new token. Validity counts from before the command is sent. A grant that
 *       arrives after its validity has ended is not accepted (rules.md R1).
 *   <li>If the lock is busy, it asks again after the store's wake-up or after a back-off. A wake-up may bring a grant.
 *       Its validity counts from before the last command was sent, too, because the store granted the lease after it had
 *       answered that command.
 *   <li>If several callers refuse the lock to each other, each asks again a few times, after random times that grow, also
 *       at the end of its wait time.
 *   <li>If the store does not answer, the {@link Reaper} removes the token (R7). While wait time is left, it asks again
 *       with another token.
 * </ol>
 *
 * <p>It never blocks. {@link #waitUntil} is the time of the next {@link #step}. It signals its caller when an answer
 * arrives earlier. Only one thread at a time may use it.
 */
final class StoreAcquisition {

    private static final int MOST_UNDECIDED = 5;

    private final LocalQueue queue;

    private final LeaseTerms terms;

    private final long deadline;

    private final Acquisition.Driver driver;

    /** What ends before the next step. {@code null} if the next step may begin. A granted question stays here. */
    private @Nullable Wait waitingFor;

    /** The last command with a token that is in the store's queue. */
    private @Nullable Question queuedInStore;

    private long roundTrip;

    private int failures;

    /** How many answers in a row after the wait time left open whether any caller has the lock. */
    private int undecided;

    private long extraDeadline;

    private boolean timedOut;

    /**
     * Prepares the acquisition of the lock of a queue.
     *
     * @param queue the queue at whose head the caller is
     * @param terms the terms of the lease
     * @param deadline the end of the wait time; the store is asked at least once
     * @param driver runs when an answer has arrived, on the thread that brings it
     */
    StoreAcquisition(LocalQueue queue, LeaseTerms terms, long deadline, Acquisition.Driver driver) {
        this.queue = queue;
        this.terms = terms;
        this.deadline = deadline;
        this.driver = driver;
    }

    boolean hasToWait(long now) {
        return waitingFor != null && !waitingFor.isOver(now);
    }

    long waitUntil() {
        return waitingFor == null ? deadline : waitingFor.until();
    }

    /** Whether a command was sent that is not answered yet. */
    boolean isAsking() {
        return waitingFor instanceof Question;
    }

    /** Whether it pauses between two commands. */
    boolean isBackingOff() {
        return waitingFor instanceof Backoff;
    }

    /** Whether the lock was busy at the end of the wait time. */
    boolean hasTimedOut() {
        return timedOut;
    }

    /**
     * Takes the pending answer or connection, or gives up on it. If none is pending, sends a command or opens the
     * connection.
     *
     * @return the grant, {@code null} while there is none; the caller either calls {@link #accepted} or {@link #leave}
     * @throws BackendFailure if the store refused the command, or failed at the end of the wait time
     */
    Lease.@Nullable Grant step(long now) {
        if (waitingFor instanceof Question asked) {
            return takeAnswer(asked);
        }
        if (waitingFor instanceof Connection connection) {
            takeConnection(connection.opened());
            return null;
        }
        if (waitingFor instanceof Backoff pause) {
            waitingFor = null;
            Granted grantedMeanwhile = pause.end();
            if (grantedMeanwhile != null && queuedInStore != null) {
                return grant(queuedInStore, grantedMeanwhile, true);
            }
        }
        if (locker().isConnected()) {
            ask(now);
        } else {
            connect(now);
        }
        return null;
    }

    /** Leaves the token of the last grant to its lease. Its removal from now on would remove the lease. */
    void accepted() {
        waitingFor = null;
        queuedInStore = null;
    }

    /** Leaves nothing in the store. */
    void leave() {
        Wait last = waitingFor;
        waitingFor = null;
        if (last instanceof Backoff pause) {
            pause.end();
        }
        if (last instanceof Question open) {
            reap(open);
            SafeCancellation.cancel(open.reply());
            // the answer may have arrived before the cancellation, and its wake-up must not outlive this caller
            open.reply().thenAccept(AcquireAnswer::discard);
        } else {
            leaveQueueInStore();
        }
    }

    private LockerState locker() {
        return queue.locker();
    }

    private long now() {
        return locker().resources().ticker().nanos();
    }

    /** Opens the connection. This may take longer than an answer, so the command timeout does not include it. */
    private void connect(long now) {
        CompletableFuture<Void> opened = locker().connect();
        waitingFor = new Connection(opened, now + LockerState.LONGEST_CONNECT);
        signalAtEndOf(opened);
    }

    private void takeConnection(CompletableFuture<Void> opened) {
        waitingFor = null;
        if (!opened.isDone()) {
            BackendFailure late = new BackendFailure(Effect.NOT_DONE, "no connection to the store within 10 s", null);
            opened.completeExceptionally(late);
            askAgainOrFail(late);
        } else if (opened.isCompletedExceptionally()) {
            Throwable cause = opened.handle((ok, failure) -> failure).join();
            askAgainOrFail(
                    cause instanceof BackendFailure failure
                            ? failure
                            : new BackendFailure(Effect.NOT_DONE, "no connection to the store: " + cause, cause));
        }
    }

    private void ask(long now) {
        EngineResources resources = locker().resources();
        AcquireCommand queued = queuedInStore == null ? null : queuedInStore.command();
        AcquireCommand command = new AcquireCommand(
                queue.id(),
                queued == null ? resources.tokens().next(driver.thread()) : queued.token(),
                terms.ttl(),
                queued == null ? fencingTokens() : queued.fencingTokens(),
                now - deadline < 0,
                Duration.ofNanos(terms.commandTimeout()));
        long sentAt = now();
        long wallMillis = resources.ticker().wallMillis();
        CompletableFuture<AcquireAnswer> reply;
        try {
            reply = locker().backend().acquire(command).toCompletableFuture();
        } catch (Throwable ex) {
            // the command may have been sent before the failure
            reply = CompletableFuture.failedFuture(ex);
        }
        waitingFor = new Question(command, sentAt, wallMillis, reply, sentAt + terms.commandTimeout());
        signalAtEndOf(reply);
    }

    private int fencingTokens() {
        return 1 + queue.handOversToReserve(locker().settings().maxLocalHandoffs());
    }

    private Lease.@Nullable Grant takeAnswer(Question asked) {
        AcquireAnswer answer;
        try {
            answer = asked.take();
        } catch (BackendFailure failure) {
            takeFailure(asked, failure);
            return null;
        }
        failures = 0;
        roundTrip = now() - asked.sentAt();
        if (answer instanceof Granted granted) {
            return grant(asked, granted, false);
        }
        backOff(asked, (Busy) answer);
        return null;
    }

    private void takeFailure(Question asked, BackendFailure failure) {
        if (failure.effect() == Effect.UNKNOWN) {
            reap(asked);
        } else {
            leaveQueueInStore();
        }
        waitingFor = null;
        queuedInStore = null;
        askAgainOrFail(failure);
    }

    private void askAgainOrFail(BackendFailure failure) {
        long now = now();
        if (failure.effect() == Effect.REFUSED || now - deadline >= 0) {
            throw failure;
        }
        waitingFor = Backoff.afterFailure(
                failures++, now, deadline, locker().resources().jitter());
    }

    private Lease.@Nullable Grant grant(Question asked, Granted granted, boolean provisional) {
        LeaseValidity validity = validity(asked, granted);
        long receivedAt = now();
        if (validity.hasEnded(receivedAt) || isSuspect(validity, provisional, receivedAt)) {
            takeFailure(asked, new BackendFailure(Effect.UNKNOWN, "granted, but too late to be valid", null));
            return null;
        }
        return new Lease.Grant(
                asked.command().token(),
                granted.firstFence(),
                asked.command().fencingTokens() - 1,
                validity,
                receivedAt,
                roundTrip,
                provisional);
    }

    /** Whether this machine seems to have been suspended while the answer was on its way. */
    private boolean isSuspect(LeaseValidity validity, boolean provisional, long receivedAt) {
        return RenewalSchedule.isSuspect(
                validity,
                terms.ttlNanos(),
                provisional,
                receivedAt,
                locker().resources().ticker().wallMillis());
    }

    /** Counted from before the command was sent, for no longer than the ttl that was asked for. */
    private LeaseValidity validity(Question asked, Granted granted) {
        Duration ttl = asked.command().ttl();
        Duration answered = granted.validity();
        return LeaseValidity.of(
                asked.sentAt(), asked.wallMillis(), answered == null || answered.compareTo(ttl) > 0 ? ttl : answered);
    }

    private void backOff(Question asked, Busy busy) {
        long now = now();
        queuedInStore = busy.queued() ? asked : null;
        LongUnaryOperator jitter = locker().resources().jitter();
        if (now - deadline >= 0 && busy.undecided() && hasExtraTime(now)) {
            waitingFor = Backoff.afterUndecided(undecided++, roundTrip, now, extraDeadline, jitter);
            return;
        }
        waitingFor = Backoff.afterBusy(busy, now, deadline, jitter);
        if (now - deadline >= 0) {
            timedOut = true;
        } else if (busy.wakeup() != null) {
            signalAtEndOf(busy.wakeup());
        }
    }

    /** Whether to ask again although the wait time is over: if all callers that have no quorum give up, none has the lock. */
    private boolean hasExtraTime(long now) {
        if (undecided == 0) {
            extraDeadline = now + terms.commandTimeout();
        }
        return undecided < MOST_UNDECIDED && now - extraDeadline < 0;
    }

    private void reap(Question unanswered) {
        locker().resources()
                .reaper()
                .remove(Reaper.Removal.ofAttempt(
                        locker().backlog(),
                        unanswered.command().id(),
                        unanswered.command().token(),
                        terms,
                        unanswered.sentAt()));
    }

    private void leaveQueueInStore() {
        if (queuedInStore != null) {
            locker().resources()
                    .reaper()
                    .remove(Reaper.Removal.ofQueued(
                            locker().backlog(),
                            queuedInStore.command().id(),
                            queuedInStore.command().token(),
                            terms,
                            now()));
        }
    }

    private void signalAtEndOf(CompletableFuture<?> future) {
        if (!future.isDone()) {
            future.whenComplete((result, failure) -> driver.run());
        }
    }

    /** A wait that ends at a time at the latest. */
    sealed interface Wait permits Backoff, Connection, Question {

        long until();

        boolean isOver(long now);
    }

    /** The connection that is being opened. */
    private record Connection(CompletableFuture<Void> opened, long until) implements Wait {

        @Override
        public boolean isOver(long now) {
            return opened.isDone() || now - until >= 0;
        }
    }

    /** A command that was sent, and the clock readings before it was sent. */
    private record Question(
            AcquireCommand command, long sentAt, long wallMillis, CompletableFuture<AcquireAnswer> reply, long until)
            implements Wait {

        @Override
        public boolean isOver(long now) {
            return reply.isDone() || now - until >= 0;
        }

        /** Returns the answer, or cancels the command if there is none. */
        AcquireAnswer take() {
            if (!reply.isDone()) {
                SafeCancellation.cancel(reply);
            }
            AcquireAnswer answer;
            try {
                answer = reply.join();
            } catch (CancellationException ex) {
                throw new BackendFailure(Effect.UNKNOWN, "no answer within the command timeout", ex);
            } catch (CompletionException ex) {
                if (ex.getCause() instanceof BackendFailure failure) {
                    throw failure;
                }
                throw new BackendFailure(Effect.UNKNOWN, String.valueOf(ex.getCause()), ex.getCause());
            }
            if (answer == null) {
                throw new BackendFailure(Effect.UNKNOWN, "the backend completed 'acquire' with null", null);
            }
            return answer;
        }
    }
}
