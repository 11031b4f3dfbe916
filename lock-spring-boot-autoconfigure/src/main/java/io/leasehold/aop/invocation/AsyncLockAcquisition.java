package io.leasehold.aop.invocation;

import io.leasehold.LockHandle;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.Locker;
import io.leasehold.observation.CapturedObservation;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires the locks of one call, one after the other, without occupying a thread.
 *
 * <p>The result is completed on the calling thread if all answers are available immediately. Otherwise the executor
 * completes it, because the answers arrive on threads of the library. A cancelled result leaves no lock behind,
 * regardless of when the answers arrive.
 */
public final class AsyncLockAcquisition {

    private static final Logger log = LoggerFactory.getLogger(AsyncLockAcquisition.class);

    private final CompletableFuture<AcquiredLocks> result = new CompletableFuture<>();

    private final Locker locker;

    private final Iterator<String> keys;

    private final List<LockHandle> joined;

    private final List<LockHandle> tolerated;

    private final LockAcquisition.WaitBudget wait;

    private final Executor executor;

    private final List<LockHandle> all = new ArrayList<>();

    private final List<LockHandle> own = new ArrayList<>();

    private volatile @Nullable CompletableFuture<?> pending;

    /** All locks of the call, from the moment at which the last was granted. */
    private volatile @Nullable AcquiredLocks acquired;

    private final CapturedObservation observation = CapturedObservation.current();

    private final Thread beginner = Thread.currentThread();

    private volatile boolean begun;

    private volatile boolean releaseLeft;

    private volatile boolean ended;

    public AsyncLockAcquisition(
            Locker locker,
            List<String> keys,
            List<LockHandle> joined,
            List<LockHandle> tolerated,
            LockAcquisition.WaitBudget wait,
            Executor executor) {
        this.locker = locker;
        this.keys = keys.iterator();
        this.joined = joined;
        this.tolerated = tolerated;
        this.wait = wait;
        this.executor = executor;
    }

    public CompletableFuture<AcquiredLocks> result() {
        return result;
    }

    /** Asks for the first lock. Has no effect after {@link #giveUp}. */
    public void begin() {
        next();
        begun = true;
    }

    /** Gives up, unless the result is complete. A lock that was granted or is granted later is released. */
    public void giveUp() {
        if (result.cancel(false)) {
            CompletableFuture<?> waiting = pending;
            if (waiting != null) {
                waiting.cancel(true);
            }
            releaseUnwanted();
        }
    }

    /** Releases the locks if the result was given up. */
    private void releaseUnwanted() {
        AcquiredLocks granted = acquired;
        if (granted != null && result.isCompletedExceptionally()) {
            granted.releaseAsync();
        }
    }

    /**
     * Leaves the release of the acquired locks to another owner, unless {@link #end} comes first, on another thread.
     *
     * @param takeOver takes the locks over; returns false if the release stays here
     */
    public void leaveRelease(BooleanSupplier takeOver) {
        releaseLeft = true;
        boolean taken = false;
        try {
            // read after the write: end() either finds that the release is left or is found here
            taken = !ended && takeOver.getAsBoolean();
        } finally {
            if (!taken) {
                releaseLeft = false;
                if (ended) {
                    result.join().releaseAsync();
                }
            }
        }
    }

    /**
     * Gives up, or releases the locks if they have been acquired.
     *
     * @return completes when they are released
     */
    public CompletableFuture<Void> end() {
        giveUp();
        ended = true;
        return releaseLeft || result.isCompletedExceptionally()
                ? CompletableFuture.completedFuture(null)
                : result.join().releaseAsync();
    }

    /** Takes one lock after the other, in a loop: thousands of answers that are there immediately need no stack. */
    private void next() {
        while (true) {
            String key;
            CompletableFuture<Optional<LockHandle>> answer;
            try {
                key = keyToTake();
                if (key == null) {
                    break;
                }
                answer = ask(key).toCompletableFuture();
            } catch (Throwable ex) {
                // An exception on the thread that completes the answer would be lost.
                fail(ex);
                return;
            }
            pending = answer;
            if (result.isDone()) {
                answer.cancel(true);
            }
            if (!answer.isDone()) {
                answer.whenComplete((granted, failure) -> {
                    if (isTaken(key, granted, failure)) {
                        next();
                    }
                });
                return;
            }
            if (!answer.handle((granted, failure) -> isTaken(key, granted, failure))
                    .join()) {
                return;
            }
        }
        AcquiredLocks locks = new AcquiredLocks(all, own, tolerated);
        acquired = locks;
        // read after the write: giveUp() either finds the locks or is found here, even if the executor drops the rest
        releaseUnwanted();
        finish(() -> result.complete(locks));
    }

    /** Joins the next locks, up to one that has to be taken; {@code null} if there is none. */
    private @Nullable String keyToTake() {
        while (keys.hasNext() && !result.isDone()) {
            String key = locker.visibleKey(keys.next());
            Optional<LockHandle> known =
                    joined.stream().filter(handle -> handle.key().equals(key)).findFirst();
            if (known.isEmpty()) {
                return key;
            }
            all.add(known.get());
        }
        return null;
    }

    /** Takes the answer for a lock; false if the call fails. */
    private boolean isTaken(String key, @Nullable Optional<LockHandle> granted, @Nullable Throwable failure) {
        if (failure != null) {
            fail(causeOf(failure));
        } else if (granted == null) {
            fail(new NullPointerException("locker '" + locker.name() + "' answered null"));
        } else if (granted.isEmpty()) {
            notAcquired(key).whenComplete((refused, unexpected) -> fail(unexpected == null ? refused : unexpected));
        } else {
            all.add(granted.get());
            own.add(granted.get());
            return true;
        }
        return false;
    }

    /** Asks for a lock, with the observation of the caller as the parent also on another thread. */
    private CompletionStage<Optional<LockHandle>> ask(String key) {
        return isBeginning()
                ? locker.tryLockAsync(wait.request(key))
                : observation.call(() -> locker.tryLockAsync(wait.request(key)));
    }

    private CompletionStage<LockNotAcquiredException> notAcquired(String key) {
        try {
            return wait.notAcquired(key);
        } catch (Throwable ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    private void fail(Throwable failure) {
        AcquiredLocks.releaseAllAsync(AcquiredLocks.unused(own))
                .whenComplete((done, ignored) -> finish(() -> result.completeExceptionally(failure)));
    }

    /** The failure of a stage, without the exception in which its dependents receive it. */
    static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Whether {@link #begin} runs on this thread. A thread of a pool may come back with a later answer. */
    private boolean isBeginning() {
        return !begun && Thread.currentThread() == beginner;
    }

    private void finish(Runnable completion) {
        if (isBeginning()) {
            completion.run();
        } else {
            resume(executor, completion);
        }
    }

    /**
     * Runs an action on an executor, or on this thread if the executor does not take it, so that no caller waits
     * forever. A decorator of the executor may fail here because this is a thread of the library.
     */
    public static void resume(Executor executor, Runnable action) {
        try {
            executor.execute(action);
        } catch (RejectedExecutionException ex) {
            action.run();
        } catch (Throwable ex) {
            // first: an appender may throw
            action.run();
            log.warn("{} did not take the continuation of a locked call; it ran on this thread", executor, ex);
        }
    }
}
