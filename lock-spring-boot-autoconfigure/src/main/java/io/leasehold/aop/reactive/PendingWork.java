package io.leasehold.aop.reactive;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The work that has begun under the locks of one subscription, and that a cancelled subscriber, such as that of a timeout,
 * does not stop: a commit that the database is executing, and the rest of a suspending function. The locks are released
 * only after it.
 */
final class PendingWork {

    /** The ends of the work, and whether the locks wait for them at present. */
    private final Map<CompletableFuture<Void>, BooleanSupplier> pending = new HashMap<>();

    private boolean releasing;

    /**
     * Adds work, unless the locks are being released and do not wait for it already.
     *
     * @param end completes when the work has ended
     * @return fails if the locks do not wait for the work
     */
    CompletableFuture<Void> add(CompletableFuture<Void> end) {
        return add(end, () -> true);
    }

    /**
     * Adds work for which the locks wait under a condition.
     *
     * @param end completes when the work has ended
     * @param awaited whether the locks wait for the work, at the time at which they would be released
     * @return fails if the locks do not wait for the work
     */
    CompletableFuture<Void> add(CompletableFuture<Void> end, BooleanSupplier awaited) {
        synchronized (this) {
            if (releasing && !pending.containsKey(end)) {
                return CompletableFuture.failedFuture(new IllegalStateException(
                        "the call under whose locks this work runs has ended before it: its subscriber was cancelled, or"
                                + " it did not wait for the work"));
            }
            pending.put(end, awaited);
        }
        end.thenRun(() -> remove(end));
        return CompletableFuture.completedFuture(null);
    }

    private synchronized void remove(CompletableFuture<Void> end) {
        pending.remove(end);
    }

    /** Releases the locks after the work that has begun, and after further work that begins before its end. */
    CompletableFuture<Void> release(Supplier<CompletableFuture<Void>> locks) {
        CompletableFuture<?>[] begun;
        synchronized (this) {
            pending.keySet().removeIf(CompletableFuture::isDone);
            begun = pending.entrySet().stream()
                    .filter(work -> work.getValue().getAsBoolean())
                    .map(Map.Entry::getKey)
                    .toArray(CompletableFuture[]::new);
            releasing = begun.length == 0;
        }
        return begun.length == 0 ? locks.get() : CompletableFuture.allOf(begun).thenCompose(ended -> release(locks));
    }
}
