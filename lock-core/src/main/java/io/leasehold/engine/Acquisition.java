package io.leasehold.engine;

import io.leasehold.LockAttempt;
import io.leasehold.LockBackendException;
import io.leasehold.LockException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener.AcquireOutcome;
import io.leasehold.LockRequest;
import io.leasehold.LossReason;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockId;
import io.leasehold.support.LeaseValidity;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One caller's attempt to acquire a lock, from joining the queue of this process to the result.
 *
 * <ol>
 *   <li>Behind the head of the {@link LocalQueue}, the caller waits. A releasing holder may hand the lock over to it
 *       there.
 *   <li>At the head, the caller sends an acquire command with a new token. Validity counts from before the command is
 *       sent. A grant that arrives after its validity has ended is not accepted (rules.md R1).
 *   <li>If the lock is busy, the caller retries after the store's wake-up or after a back-off. A wake-up may bring a
 *       grant. Its validity counts from before the last command was sent, too, because the store granted the lease after
 *       it had answered that command. The lease is renewed at once, because it is shorter than the ttl.
 *   <li>If the store does not answer, the {@link Reaper} removes the token (R7). While wait time is left, the caller
 *       retries with another token.
 * </ol>
 *
 * <p>An acquisition itself never blocks. {@link #step} returns until when to wait, and its driver calls it again at
 * that time or when the driver is signalled. One driver blocks a thread, the other needs none. A driver never calls
 * from two threads at the same time. Steps run no code of the application. At the end the driver calls {@link #report},
 * on a thread that may run such code.
 */
final class Acquisition implements LockAttempt, LocalQueue.Caller {

    private static final Duration LONGEST_WAIT = Duration.ofDays(3650);

    private final LocalQueues queues;

    private final LockerState locker;

    private final LockRequest request;

    private final LeaseTerms terms;

    private final Driver driver;

    private final LockId id;

    private final long startedAt;

    private final long deadline;

    private final LocalQueue.Waiter waiter;

    private @Nullable CompletableFuture<Void> connecting;

    private long connectUntil;

    private @Nullable PendingAcquire pending;

    private @Nullable Backoff backoff;

    /** The last command with a token that is in the store's queue. */
    private @Nullable PendingAcquire queuedInStore;

    private long roundTrip;

    private int failures;

    private boolean countedAsWaiting;

    private @Nullable Lease lease;

    private @Nullable Outcome outcome;

    private long endedAt;

    private boolean reported;

    Acquisition(LocalQueues queues, LockRequest request, LeaseTerms terms, Driver driver) {
        this.queues = queues;
        this.locker = queues.locker();
        this.request = request;
        this.terms = terms;
        this.driver = driver;
        this.id = LockId.of(locker.settings().namespace(), request.key());
        Duration asked = request.waitTime();
        Duration waitTime = asked == null ? locker.settings().waitTime() : asked;
        this.startedAt = now();
        this.deadline = startedAt + (waitTime.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : waitTime).toNanos();
        this.waiter = new LocalQueue.Waiter(this);
    }

    /** Joins the queue. Called once, before the first step. */
    void start() {
        locker.openCalls().incrementAndGet();
        locker.resources().listener().acquireStarted(this);
        if (!waiter.join(queues, id, deadline != startedAt)) {
            end(AcquireOutcome.TIMEOUT, null, null);
        }
    }

    /**
     * Proceeds as far as possible without waiting. Returns until when to wait; the value has no meaning once
     * {@link #isDone}.
     */
    long step() {
        while (outcome == null) {
            long now = now();
            if (locker.isStopped() && pending == null) {
                failed(stopped(), "");
            } else if (waiter.isAtHead()) {
                if (hasToWaitForStore(now)) {
                    countAsWaiting();
                    return waitForStoreUntil();
                }
                stepAtStore(now);
            } else if (waiter.handed() != null) {
                end(AcquireOutcome.ACQUIRED, waiter.handed(), null);
            } else if (now - deadline < 0) {
                countAsWaiting();
                return deadline;
            } else if (waiter.leave()) {
                end(AcquireOutcome.TIMEOUT, null, null);
            }
        }
        return deadline;
    }

    /** Ends the wait behind a holder of this process, as its deadline does. Has no effect at the head of the queue. */
    void stopWaiting() {
        if (outcome == null && waiter.leave()) {
            end(AcquireOutcome.TIMEOUT, null, null);
        }
    }

    boolean isDone() {
        return outcome != null;
    }

    /** Returns the lock or throws the failure for the caller. */
    Optional<LockHandle> result() {
        Outcome reached = Objects.requireNonNull(outcome);
        if (reached.failure() != null) {
            throw reached.failure();
        }
        return Optional.ofNullable(reached.granted());
    }

    /** Notifies the listener of the end, once. Called on a thread that may run code of the application. */
    void report() {
        Outcome reached = outcome;
        if (reached != null && !reported) {
            reported = true;
            locker.resources().listener().acquireEnded(this, reached.how(), Duration.ofNanos(endedAt - startedAt));
        }
    }

    /**
     * Gives up the attempt, because the caller cancelled it or a step failed. Leaves neither a token in the store nor a
     * waiter in the queue, and releases a lock that was already granted.
     */
    void abandon() {
        if (outcome == null) {
            try {
                leave();
            } finally {
                end(AcquireOutcome.INTERRUPTED, null, null);
            }
        } else if (outcome.granted() != null) {
            outcome.granted().releaseAsync();
        }
    }

    @Override
    public String locker() {
        return locker.name();
    }

    @Override
    public String key() {
        return request.key();
    }

    @Override
    public @Nullable Thread thread() {
        return driver.thread();
    }

    @Override
    public LeaseTerms terms() {
        return terms;
    }

    @Override
    public long startedAt() {
        return startedAt;
    }

    @Override
    public void signal() {
        driver.run();
    }

    @Override
    public @Nullable LockHandle granted() {
        Outcome reached = outcome;
        return reached == null ? null : reached.granted();
    }

    @Override
    public @Nullable LockException failure() {
        Outcome reached = outcome;
        return reached == null ? null : reached.failure();
    }

    @Override
    public boolean isHandedOver() {
        return waiter.handed() != null;
    }

    private long now() {
        return locker.resources().ticker().nanos();
    }

    private boolean hasToWaitForStore(long now) {
        if (connecting != null) {
            return !connecting.isDone() && now - connectUntil < 0;
        }
        if (pending != null) {
            return !pending.reply().isDone() && now - waitForStoreUntil() < 0;
        }
        return backoff != null && !backoff.isOver(now);
    }

    private long waitForStoreUntil() {
        if (connecting != null) {
            return connectUntil;
        }
        if (pending != null) {
            return pending.sentAt() + terms.commandTimeout();
        }
        return backoff == null ? deadline : backoff.until();
    }

    /**
     * Takes the pending answer or connection, or gives up on it. If none is pending, sends a command or opens the
     * connection.
     */
    private void stepAtStore(long now) {
        Granted grantedMeanwhile = backoff == null ? null : backoff.end();
        backoff = null;
        if (grantedMeanwhile != null && queuedInStore != null) {
            accept(queuedInStore, grantedMeanwhile, true);
        } else if (pending != null) {
            takeAnswer(pending);
        } else if (connecting != null) {
            takeConnection(connecting);
        } else if (locker.isConnected()) {
            ask(now);
        } else {
            connect(now);
        }
    }

    /** Opens the connection. This may take longer than an answer, so the command timeout does not include it. */
    private void connect(long now) {
        CompletableFuture<Void> opened = locker.connect();
        connecting = opened;
        connectUntil = now + LockerState.LONGEST_CONNECT;
        signalAtEndOf(opened);
    }

    private void takeConnection(CompletableFuture<Void> opened) {
        connecting = null;
        if (!opened.isDone()) {
            askAgainOrFail(new BackendFailure(Effect.NOT_DONE, "no connection to the store within 10 s", null));
        } else if (opened.isCompletedExceptionally()) {
            Throwable cause = opened.handle((ok, failure) -> failure).join();
            askAgainOrFail(
                    cause instanceof BackendFailure failure
                            ? failure
                            : new BackendFailure(Effect.NOT_DONE, "no connection to the store: " + cause, cause));
        }
    }

    private void ask(long now) {
        EngineResources resources = locker.resources();
        AcquireCommand queued = queuedInStore == null ? null : queuedInStore.command();
        AcquireCommand command = new AcquireCommand(
                id,
                queued == null ? resources.tokens().next() : queued.token(),
                terms.ttl(),
                queued == null ? fencingTokens() : queued.fencingTokens(),
                now - deadline < 0);
        long sentAt = now();
        long wallMillis = resources.ticker().wallMillis();
        CompletableFuture<AcquireAnswer> reply;
        try {
            reply = locker.backend().acquire(command).toCompletableFuture();
        } catch (Throwable ex) {
            // the command may have been sent before the failure
            reply = CompletableFuture.failedFuture(ex);
        }
        pending = new PendingAcquire(command, sentAt, wallMillis, reply);
        signalAtEndOf(reply);
    }

    private void takeAnswer(PendingAcquire asked) {
        AcquireAnswer answer;
        try {
            answer = asked.take();
        } catch (BackendFailure failure) {
            takeFailure(asked, failure);
            return;
        }
        failures = 0;
        roundTrip = now() - asked.sentAt();
        if (answer instanceof Granted granted) {
            accept(asked, granted, false);
        } else if (answer instanceof Busy busy) {
            waitOrGiveUp(asked, busy);
        }
    }

    private void takeFailure(PendingAcquire asked, BackendFailure failure) {
        if (failure.effect() == Effect.UNKNOWN) {
            reap(asked);
        } else {
            leaveQueueInStore();
        }
        pending = null;
        queuedInStore = null;
        askAgainOrFail(failure);
    }

    private void askAgainOrFail(BackendFailure failure) {
        long now = now();
        if (failure.effect() == Effect.REFUSED || now - deadline >= 0) {
            failed(failure, locker.storeOrigin());
        } else {
            backoff = Backoff.afterFailure(
                    failures++, now, deadline, locker.resources().jitter());
        }
    }

    private int fencingTokens() {
        return 1 + waiter.queue().handOversToReserve(locker.settings().maxLocalHandoffs());
    }

    private LeaseValidity validity(PendingAcquire asked, Granted grant) {
        Duration ttl = asked.command().ttl();
        Duration validity = grant.validity();
        return LeaseValidity.of(
                asked.sentAt(), asked.wallMillis(), validity == null || validity.compareTo(ttl) > 0 ? ttl : validity);
    }

    private void accept(PendingAcquire asked, Granted grant, boolean provisional) {
        LeaseValidity confirmed = validity(asked, grant);
        long receivedAt = now();
        if (confirmed.hasEnded(receivedAt)) {
            takeFailure(asked, new BackendFailure(Effect.UNKNOWN, "granted, but too late to be valid", null));
            return;
        }
        if (locker.isStopped()) {
            failed(stopped(), "");
            return;
        }
        Lease granted = new Lease(
                waiter.queue(),
                asked.command().token(),
                terms,
                key(),
                grant.firstFence(),
                asked.command().fencingTokens() - 1,
                confirmed,
                receivedAt,
                roundTrip,
                provisional,
                thread());
        // from here on, a failed step releases the lease instead of the command's token
        lease = granted;
        pending = null;
        // the token is the lease's now: its removal from the queue of the store would remove the lease
        queuedInStore = null;
        // in the queue before it is watched, so that the watchdog finds it there
        waiter.queue().hold(granted);
        end(AcquireOutcome.ACQUIRED, granted.holder(), null);
        granted.watch();
        // read after the lease is in the queue: a shutdown that missed the lease there has set this flag before
        if (locker.isStopped()) {
            granted.lose(LossReason.SHUTDOWN);
        }
    }

    private void waitOrGiveUp(PendingAcquire asked, Busy busy) {
        long now = now();
        queuedInStore = busy.queued() ? asked : null;
        backoff = Backoff.afterBusy(busy, now, deadline, locker.resources().jitter());
        pending = null;
        if (now - deadline >= 0) {
            leave();
            end(AcquireOutcome.TIMEOUT, null, null);
        } else if (busy.wakeup() != null) {
            signalAtEndOf(busy.wakeup());
        }
    }

    private void failed(BackendFailure failure, String storeOrigin) {
        leave();
        String message = "lock '" + key() + "' of locker '" + locker.name() + "' was not acquired: "
                + failure.getMessage() + storeOrigin;
        end(AcquireOutcome.ERROR, null, new LockBackendException(message, locker.name(), key(), failure));
    }

    private static BackendFailure stopped() {
        return new BackendFailure(Effect.NOT_DONE, "the locker is being shut down", null);
    }

    /** Leaves nothing in the store and no waiter in the queue. */
    private void leave() {
        try {
            endBackoff();
            PendingAcquire open = pending;
            pending = null;
            if (open != null) {
                // the removal comes first, because the backend may throw from the cancellation
                reap(open);
                open.reply().cancel(true);
                // the answer may have arrived before the cancellation, and its wake-up must not outlive this caller
                open.reply().thenAccept(AcquireAnswer::discard);
            } else {
                leaveQueueInStore();
            }
        } finally {
            // a waiter that stays in the queue blocks the key for this process (R34)
            if (lease == null) {
                waiter.giveUp();
            } else {
                lease.holder().releaseAsync();
            }
        }
    }

    private void reap(PendingAcquire unanswered) {
        locker.resources()
                .reaper()
                .remove(Reaper.Removal.ofAttempt(
                        locker.backlog(), id, unanswered.command().token(), terms, unanswered.sentAt()));
    }

    private void leaveQueueInStore() {
        if (queuedInStore != null) {
            locker.resources()
                    .reaper()
                    .remove(Reaper.Removal.ofQueued(
                            locker.backlog(), id, queuedInStore.command().token(), terms, now()));
        }
    }

    private void endBackoff() {
        if (backoff != null) {
            backoff.end();
            backoff = null;
        }
    }

    private void signalAtEndOf(CompletableFuture<?> future) {
        if (!future.isDone()) {
            future.whenComplete((result, failure) -> driver.run());
        }
    }

    private void countAsWaiting() {
        if (!countedAsWaiting && pending == null && connecting == null) {
            countedAsWaiting = true;
            waiter.startWaiting();
            queues.slowLocks().watchWait(startedAt);
            locker.waiting().incrementAndGet();
        }
    }

    private void end(AcquireOutcome how, @Nullable LeaseHandle granted, @Nullable LockBackendException failure) {
        outcome = new Outcome(how, granted, failure);
        if (countedAsWaiting) {
            locker.waiting().decrementAndGet();
        }
        locker.openCalls().decrementAndGet();
        endedAt = now();
        if (granted != null) {
            queues.slowLocks().watchHold(granted.acquiredAt());
        }
    }

    /** Runs the next step after a wait, when {@link #run} is called or the time has come. */
    interface Driver extends Runnable {

        /** The thread that blocks until the end, {@code null} if none does. */
        @Nullable
        Thread thread();
    }

    private record Outcome(
            AcquireOutcome how,
            @Nullable LeaseHandle granted,
            @Nullable LockBackendException failure) {}

    /** A command that was sent, and the clock readings before it was sent. */
    private record PendingAcquire(
            AcquireCommand command, long sentAt, long wallMillis, CompletableFuture<AcquireAnswer> reply) {

        /** Returns the answer, or cancels the command if there is none. */
        AcquireAnswer take() {
            if (!reply.isDone()) {
                reply.cancel(true);
            }
            try {
                return reply.join();
            } catch (CancellationException ex) {
                throw new BackendFailure(Effect.UNKNOWN, "no answer within the command timeout", ex);
            } catch (CompletionException ex) {
                if (ex.getCause() instanceof BackendFailure failure) {
                    throw failure;
                }
                throw new BackendFailure(Effect.UNKNOWN, String.valueOf(ex.getCause()), ex.getCause());
            }
        }
    }
}
