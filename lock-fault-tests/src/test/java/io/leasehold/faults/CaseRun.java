package io.leasehold.faults;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockLostException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LossReason;
import io.leasehold.engine.LockEngine;
import io.leasehold.spi.LockId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One case: an operation on a lock and a fault at the same time. A rival with a working network tries to acquire the
 * lock all the time. The case checks:
 *
 * <ol>
 *   <li>The caller and the rival are never sure of the lock at the same moment, and fencing tokens increase.
 * <li>The caller receives correct results: not "taken" for a free lock, not "released" for a lock that is still in the
 * store, and no exception of another kind. After a release the store may keep the lock for an unanswered attempt to
 * acquire while that attempt is being removed, see {@link LockOwner}. A quorum confirms before its last server does, see
 * {@link BreakableStore#releaseTail}. <li>A holder that loses the lock is notified. The time from the notification to
 * the rival's grant is measured but not judged, because so many cases run at the same time, see {@link PromisedTimes}.
 * <li>A renewed lock is lost only if the fault lasted until shortly before the end of its lease. No valid lease ends,
 * unless the store may end it, see {@link BreakableStore#mayEndLocks}. <li>A holder whose lock another process ends is
 * notified. A later holder is not affected, see {@link OthersLock}.
 * <li>After the fault, when the lock has no holder, the rival acquires it in time, and so does the same caller.
 * </ol>
 */
final class CaseRun {

    private static final long DEADLINE_SECONDS = 40;

    private static final long PACE = 500_000;

    private static final Duration DEADLINE = Duration.ofSeconds(DEADLINE_SECONDS);

    /** The part of the ttl in which a lease without a fault is renewed. */
    private static final int RENEWED_WITHIN = 4;

    /** On a machine that lets threads wait for longer, a lease may end without a renewal. */
    private static final Duration LONGEST_STALL = Duration.ofMillis(25);

    /** Over a store that lets the rival wait for longer, a lease may end without a renewal. */
    private static final Duration SLOWEST_ANSWER = Duration.ofMillis(100);

    private final FaultCase plan;

    private final BreakableStore store;

    private final Locker here;

    private final FaultyProcess process;

    private final FaultyProcess rivals;

    private final FaultyProcess bystander;

    private final String key;

    private final LockId id;

    private final Findings findings;

    private final Executor executor;

    private final Random random;

    private final CompletableFuture<Loss> told = new CompletableFuture<>();

    private CompletableFuture<Void> roomMade = CompletableFuture.completedFuture(null);

    private @Nullable Holding holding;

    private @Nullable Holding before;

    private @Nullable OthersLock others;

    private @Nullable Holding later;

    private volatile boolean ended;

    private @Nullable Rival rival;

    CaseRun(FaultCase plan, BreakableStore store, Lane lane, String key, Findings findings) {
        this.plan = plan;
        this.store = store;
        this.process = lane.process();
        this.here = process.locker();
        this.rivals = lane.rival();
        this.bystander = lane.bystander();
        this.executor = lane.executor();
        this.key = key;
        this.id = LockId.of(FaultyProcess.NAMESPACE, key);
        this.findings = findings;
        this.random = new Random(plan.seed());
    }

    void run(Breakage breakage) throws InterruptedException {
        findings.begins(key, plan, store.mayLoseGrants(plan));
        prepare();
        long begunAt = System.nanoTime();
        breakage.begin();
        CompletableFuture<Outcome> asked;
        try {
            asked = CompletableFuture.supplyAsync(() -> operate(begunAt), executor);
            if (plan.operation().beginsWithALock() || plan.operation().concernsAnotherHolder()) {
                compete();
            }
            breakage.strike();
            if (before != null) {
                roomMade = CompletableFuture.runAsync(this::makeRoom, executor);
            } else if (endMeetsLaterHolder()) {
                roomMade = CompletableFuture.runAsync(this::changeHolder, executor);
            }
            breakage.outlast(asked);
        } finally {
            breakage.heal();
        }
        long healedAt = System.nanoTime();
        try {
            judge(asked.get(DEADLINE_SECONDS, TimeUnit.SECONDS), healedAt);
        } catch (TimeoutException ex) {
            findings.violation("the caller is stuck", plan);
        } catch (ExecutionException ex) {
            findings.violation("the caller was told " + ex.getCause(), plan);
        }
    }

    private void prepare() {
        if (plan.operation() == Operation.WAIT) {
            before = new Holding(rivals.lock(key, DEADLINE), "the one before", findings.history(), executor);
        } else if (plan.operation().beginsWithALock()) {
            hold(process.lock(key, DEADLINE));
        } else if (plan.operation().concernsAnotherHolder()) {
            hold(bystander.lock(key, DEADLINE));
            others = new OthersLock(plan, process, holding().handle(), store.mayLoseGrants(plan), findings);
        }
    }

    private Outcome operate(long begunAt) {
        switch (plan.operation()) {
            case ACQUIRE -> {
                Optional<LockHandle> granted = tryLock(Duration.ZERO);
                granted.ifPresent(this::hold);
            }
            case WAIT ->
                tryLock(plan.outage().plus(store.recovery()).plus(findings.slack()))
                        .ifPresent(this::hold);
            case HOLD -> awaitWhileHeld(() -> process.tokens().hasSentRenewalSince(begunAt, id));
            case RENEW -> renew();
            case RELEASE -> {
                stopHolding();
                boolean released = holding().handle().release();
                return new Outcome(released, System.nanoTime());
            }
            case CLOSE -> closeMeanwhile();
            case INSPECT -> inspect();
            case ASK -> others().ask();
            case END -> ended = others().end(endMeetsLaterHolder() || random.nextBoolean());
        }
        return new Outcome(false, System.nanoTime());
    }

    private Optional<LockHandle> tryLock(Duration waitTime) {
        try {
            Optional<LockHandle> answer = here.tryLock(LockRequest.of(key).withWaitTime(waitTime));
            boolean mayBeRefused =
                    store.mayRefuseFreeLocks(plan) || !waitTime.isZero() && plan.network() == NetworkFault.DELAY;
            if (answer.isEmpty() && !mayBeRefused) {
                findings.violation("told that the lock is taken, and nobody had it", plan);
            }
            return answer;
        } catch (LockBackendException storeIsAway) {
            return Optional.empty();
        }
    }

    private void renew() {
        try {
            holding().handle().renew();
        } catch (LockBackendException | LockLostException unconfirmedOrLost) {
            return;
        }
    }

    private void closeMeanwhile() {
        CompletableFuture<Void> asked;
        try (LockEngine engine = new LockEngine(new LockListener() {})) {
            Locker closing = process.lockerOf(engine);
            asked = CompletableFuture.runAsync(() -> askThenHold(closing), executor);
            LockSupport.parkNanos(random.nextInt((int) store.commandTimeout().toNanos()));
        }
        asked.join();
        Holding held = holding;
        if (held != null) {
            held.stop();
            if (held.handle().isHeld()) {
                findings.violation("held after its engine was closed", plan);
            }
            holding = null;
        }
    }

    private void askThenHold(Locker closing) {
        try {
            closing.tryLock(LockRequest.of(key)).ifPresent(this::hold);
        } catch (LockBackendException awayOrClosed) {
            return;
        }
    }

    private void inspect() {
        try {
            process.connection().backend().inspect().toCompletableFuture().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException storeIsAway) {
            return;
        } catch (TimeoutException ex) {
            findings.violation("the inspection never ended", plan);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private void makeRoom() {
        LockSupport.parkNanos(random.nextInt((int) plan.outage().toMillis() + 1) * 1_000_000L);
        Holding first = before;
        if (first != null) {
            first.stop();
            first.handle().release();
        }
    }

    /** Whether the request to end a hold arrives when another holder has the lock. */
    private boolean endMeetsLaterHolder() {
        return plan.operation() == Operation.END && plan.delaysRequests();
    }

    private void changeHolder() {
        LockSupport.parkNanos(random.nextInt((int) plan.outage().toMillis() + 1) * 1_000_000L);
        stopHolding();
        holding().handle().release();
        later = new Holding(bystander.lock(key, DEADLINE), "the later holder", findings.history(), executor);
    }

    private void judge(Outcome outcome, long healedAt) throws InterruptedException, ExecutionException {
        roomMade.join();
        compete();
        rival().lookFor(() -> LockOwner.of(key, store, List.of(process, rivals, bystander)));
        long freeAt = outcome.endedAt();
        Holding held = holding;
        Holding unnamed = later;
        boolean lost = false;
        if (unnamed != null) {
            parkForHalfATtl();
            requireUnaffected(unnamed.handle());
            unnamed.stop();
            boolean released = unnamed.handle().release();
            freeAt = System.nanoTime();
            outcome = new Outcome(released, freeAt);
        } else if (held != null && plan.operation() != Operation.RELEASE) {
            if (ended) {
                requireNotified();
            } else {
                if (plan.operation().isRenewed()) {
                    awaitWhileHeld(() -> process.tokens().isRenewedSince(healedAt, id));
                }
                parkForHalfATtl();
            }
            boolean wasHeld = held.handle().isHeld();
            held.stop();
            if (!ended || random.nextBoolean()) {
                boolean released = held.handle().release();
                freeAt = System.nanoTime();
                outcome = new Outcome(released, freeAt);
            }
            if (!wasHeld) {
                findings.loss();
                requireNotified();
                lost = true;
            } else if (ended) {
                findings.violation("held after it was ended", plan);
            } else {
                fate("kept");
            }
        }
        long since = freeAt - healedAt > 0 ? freeAt : healedAt;
        awaitRival(since);
        if (lost) {
            requireExplained(healedAt);
        }
        if (outcome.released() && !rival().wasLeftWithoutAnswer()) {
            requireFree(outcome.endedAt() + store.releaseTail().toNanos());
        }
        lockAgain();
    }

    private void awaitWhileHeld(BooleanSupplier reached) {
        LockHandle handle = holding().handle();
        while (!reached.getAsBoolean() && handle.isHeld()) {
            LockSupport.parkNanos(PACE);
        }
    }

    /** At most. */
    private void parkForHalfATtl() {
        LockSupport.parkNanos(random.nextInt((int) store.ttl().toMillis() / 2) * 1_000_000L);
    }

    private void requireFree(long freeAt) {
        rival().unexplainedAfter(freeAt, store.mayRefuseFreeLocks(plan))
                .ifPresent(refusal -> findings.violation(
                        "told that the lock was released, and it was not, " + refusal.toString(freeAt), plan));
    }

    private void requireNotified() throws InterruptedException, ExecutionException {
        try {
            told.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException ex) {
            findings.violation("lost, and nobody was told", plan);
        }
    }

    /**
     * Requires a reason for a loss. A lease that ends without a renewal has one if there was no time for it after the
     * fault or for new connections, or if the machine or the store may have been too slow.
     */
    private void requireExplained(long healedAt) {
        Loss loss = told.getNow(null);
        if (loss == null || plan.operation() == Operation.END || store.mayEndLocks(plan)) {
            fate("lost in the store");
        } else if (loss.reason() != LossReason.EXPIRED) {
            findings.violation("lost while its lease was valid, " + loss.reason(), plan);
        } else if (loss.at() - healedAt < store.ttl().toNanos() / RENEWED_WITHIN) {
            fate("expired in the fault");
        } else if (store.mayReconnectLate(plan)) {
            fate("expired before a new connection");
        } else if (findings.slack().compareTo(store.ttl()) > 0
                || findings.longestStallSince(healedAt).compareTo(LONGEST_STALL) > 0
                || rival().slowestAnswerSince(healedAt).compareTo(SLOWEST_ANSWER) > 0) {
            fate("expired on a busy machine");
        } else {
            long millis = TimeUnit.NANOSECONDS.toMillis(loss.at() - healedAt);
            findings.violation("not renewed in the last " + millis + " ms, which had no fault", plan);
        }
    }

    private void fate(String fate) {
        if (plan.operation().isRenewed()) {
            findings.answer(plan.operation(), fate);
        }
    }

    private void awaitRival(long since) throws InterruptedException, ExecutionException {
        try {
            long grantedAt = rival().grantedAt().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            if (told.isDone() && !store.mayLoseGrants(plan)) {
                findings.told(told.join().at(), grantedAt);
            }
            findings.recovered(rival().refusedUntil(since), store.recovery(), plan);
        } catch (TimeoutException ex) {
            rival().stop();
            findings.violation("never free again; the last answer was: " + rival().lastAnswer(), plan);
        }
    }

    private void lockAgain() {
        try {
            LockHandle again = process.lock(key, DEADLINE);
            new Holding(again, "the same caller", findings.history(), executor).stop();
            if (others != null) {
                requireUnaffected(again);
            }
            again.close();
        } catch (IllegalStateException | LockBackendException ex) {
            findings.violation("not to be had again for the same caller", plan);
        }
    }

    private void requireUnaffected(LockHandle unnamed) {
        try {
            unnamed.renew();
        } catch (LockBackendException storeIsAway) {
            return;
        } catch (LockLostException ex) {
            if (ex.reason() != LossReason.EXPIRED && ex.reason() != LossReason.NOT_RENEWED) {
                findings.violation("a later holder lost its lock: " + ex.getMessage(), plan);
            }
        }
    }

    private void compete() {
        if (rival == null) {
            rival = new Rival(rivals.locker(), key, findings.history(), executor);
        }
    }

    private void hold(LockHandle handle) {
        handle.onLost(reason -> told.complete(new Loss(reason, System.nanoTime())));
        holding = new Holding(handle, "the caller", findings.history(), executor);
    }

    private void stopHolding() {
        holding().stop();
    }

    private Holding holding() {
        Holding held = holding;
        if (held == null) {
            throw new IllegalStateException("no lock is held in " + plan);
        }
        return held;
    }

    private OthersLock others() {
        OthersLock lock = others;
        if (lock == null) {
            throw new IllegalStateException("no other process holds a lock in " + plan);
        }
        return lock;
    }

    private Rival rival() {
        Rival competing = rival;
        if (competing == null) {
            throw new IllegalStateException("nobody competes in " + plan);
        }
        return competing;
    }

    private record Loss(LossReason reason, long at) {}

    private record Outcome(boolean released, long endedAt) {}
}
