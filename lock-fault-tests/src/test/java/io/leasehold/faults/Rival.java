package io.leasehold.faults;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.contract.History;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Another process with a working network. It tries to acquire a lock repeatedly until it has held it once. */
final class Rival {

    private static final long PACE = 25_000_000;

    private static final long HOLD = 10_000_000;

    private final Locker locker;

    private final String key;

    private final History history;

    private final Executor executor;

    private final ConcurrentLinkedQueue<Refusal> refusals = new ConcurrentLinkedQueue<>();

    private final CompletableFuture<Long> grantedAt;

    private final ConcurrentLinkedQueue<Attempt> attempts = new ConcurrentLinkedQueue<>();

    private volatile long lastRefusedAsk = Long.MIN_VALUE;

    private volatile @Nullable Supplier<LockOwner> owner;

    private volatile boolean wasLeftWithoutAnswer;

    private volatile String lastAnswer = "no answer";

    private volatile boolean stopped;

    Rival(Locker locker, String key, History history, Executor executor) {
        this.locker = locker;
        this.key = key;
        this.history = history;
        this.executor = executor;
        this.grantedAt = CompletableFuture.supplyAsync(this::compete, executor);
    }

    /** The time of the grant, by {@link System#nanoTime()}. */
    CompletableFuture<Long> grantedAt() {
        return grantedAt;
    }

    /** How long after a moment the store still refused the lock. */
    Duration refusedUntil(long moment) {
        long last = lastRefusedAsk;
        return last != Long.MIN_VALUE && last - moment > 0 ? Duration.ofNanos(last - moment) : Duration.ZERO;
    }

    /** From now on the servers work, so the rival asks for the owner of the lock at each refusal. */
    void lookFor(Supplier<LockOwner> found) {
        owner = found;
    }

    /** The last unexplained refusal after a moment. */
    Optional<Refusal> unexplainedAfter(long moment, boolean mayRefuseFreeLocks) {
        return refusals.stream()
                .filter(refusal -> refusal.askedAt() - moment > 0 && !refusal.isExplained(mayRefuseFreeLocks))
                .reduce((earlier, later) -> later);
    }

    /** The longest time that the store took to answer since a moment. */
    Duration slowestAnswerSince(long moment) {
        return Duration.ofNanos(attempts.stream()
                .filter(attempt -> attempt.endedAt() - moment > 0)
                .mapToLong(attempt -> attempt.endedAt() - attempt.askedAt())
                .max()
                .orElse(0));
    }

    /** Whether an unanswered attempt of the rival itself may have acquired the lock for a moment. */
    boolean wasLeftWithoutAnswer() {
        return wasLeftWithoutAnswer;
    }

    void stop() {
        stopped = true;
    }

    /** The last answer to the rival, for messages. */
    String lastAnswer() {
        return lastAnswer;
    }

    private long compete() {
        while (!stopped) {
            Optional<LockHandle> granted = tryOnce();
            if (granted.isPresent()) {
                long at = System.nanoTime();
                Holding holding = new Holding(granted.get(), "rival", history, executor);
                LockSupport.parkNanos(HOLD);
                holding.stop();
                granted.get().release();
                return at;
            }
            LockSupport.parkNanos(PACE);
        }
        throw new IllegalStateException("stopped before it got '" + key + "'");
    }

    private Optional<LockHandle> tryOnce() {
        Supplier<LockOwner> found = owner;
        LockOwner before = found == null ? null : found.get();
        long askedAt = System.nanoTime();
        try {
            Optional<LockHandle> answer = locker.tryLock(key);
            if (answer.isEmpty()) {
                lastRefusedAsk = askedAt;
                Refusal refusal = new Refusal(askedAt, before, found == null ? null : found.get());
                refusals.add(refusal);
                lastAnswer = "taken, " + refusal;
            }
            return answer;
        } catch (LockBackendException storeIsAway) {
            wasLeftWithoutAnswer = true;
            lastAnswer = storeIsAway.toString();
            return Optional.empty();
        } finally {
            attempts.add(new Attempt(askedAt, System.nanoTime()));
        }
    }

    private record Attempt(long askedAt, long endedAt) {}
}
