package io.leasehold.aop;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Takes the locks of one call, one after the other, without occupying a thread.
 *
 * <p>The result is completed on the calling thread if all answers are there at once, and by the executor otherwise,
 * because the answers come on threads of the library. A result that was cancelled leaves no lock behind, whenever the
 * answers come.
 */
final class LockAttempt {

    private final CompletableFuture<HeldLocks> result = new CompletableFuture<>();

    private final Locker locker;

    private final Iterator<String> keys;

    private final List<LockHandle> joined;

    private final SharedWait wait;

    private final Executor executor;

    private final List<LockHandle> all = new ArrayList<>();

    private final List<LockHandle> own = new ArrayList<>();

    private volatile @Nullable CompletableFuture<?> pending;

    private final Thread beginner = Thread.currentThread();

    private volatile boolean begun;

    private volatile boolean releaseLeft;

    LockAttempt(Locker locker, LockKeySet keys, List<LockHandle> joined, SharedWait wait, Executor executor) {
        this.locker = locker;
        this.keys = keys.keys().iterator();
        this.joined = joined;
        this.wait = wait;
        this.executor = executor;
    }

    CompletableFuture<HeldLocks> result() {
        return result;
    }

    void begin() {
        next();
        begun = true;
    }

    /** Gives up, unless the locks are taken already; what is granted all the same is given back. */
    void giveUp() {
        if (result.cancel(false)) {
            CompletableFuture<?> waiting = pending;
            if (waiting != null) {
                waiting.cancel(true);
            }
        }
    }

    /** Somebody else releases the locks that were taken. */
    void leaveRelease() {
        releaseLeft = true;
    }

    /**
     * Gives up, or releases the locks if they are taken already.
     *
     * @return is done when they are released
     */
    CompletableFuture<Void> end() {
        giveUp();
        return releaseLeft || result.isCompletedExceptionally()
                ? CompletableFuture.completedFuture(null)
                : Releases.releaseAllAsync(result.join().own());
    }

    private void next() {
        while (keys.hasNext() && !result.isDone()) {
            String key = keys.next();
            Optional<LockHandle> known =
                    joined.stream().filter(handle -> handle.key().equals(key)).findFirst();
            if (known.isPresent()) {
                all.add(known.get());
            } else {
                take(key);
                return;
            }
        }
        HeldLocks locks = new HeldLocks(all, own);
        finish(() -> {
            if (!result.complete(locks)) {
                Releases.releaseAllAsync(own);
            }
        });
    }

    private void take(String key) {
        CompletableFuture<Optional<LockHandle>> answer;
        try {
            answer = locker.tryLockAsync(wait.request(key)).toCompletableFuture();
        } catch (RuntimeException ex) {
            fail(ex);
            return;
        }
        pending = answer;
        if (result.isDone()) {
            answer.cancel(true);
        }
        answer.whenComplete((granted, failure) -> {
            if (failure != null) {
                fail(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
            } else if (granted.isEmpty()) {
                fail(wait.notAcquired(locker.name(), key));
            } else {
                all.add(granted.get());
                own.add(granted.get());
                next();
            }
        });
    }

    private void fail(Throwable failure) {
        Releases.releaseAllAsync(own)
                .whenComplete((done, ignored) -> finish(() -> result.completeExceptionally(failure)));
    }

    private void finish(Runnable completion) {
        if (!begun && Thread.currentThread() == beginner) {
            completion.run();
        } else {
            Hop.to(executor, completion);
        }
    }
}
