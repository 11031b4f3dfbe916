package io.leasehold.aop.reactive;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The commits that have begun under the locks of one subscription. A cancelled subscriber, such as that of a timeout, does
 * not stop a commit that the database is executing. The locks are therefore released only after it.
 */
final class PendingCommits {

    private final Set<CompletableFuture<Void>> pending = new HashSet<>();

    private final CompletableFuture<Void> released = new CompletableFuture<>();

    private boolean ending;

    /**
     * Adds a commit, unless the locks are being released and do not wait for it already.
     *
     * @param end completes when the commit has ended
     * @return completes when it is known whether the locks are still held
     */
    CompletableFuture<Void> add(CompletableFuture<Void> end) {
        synchronized (this) {
            if (ending && !pending.contains(end)) {
                return released;
            }
            pending.add(end);
        }
        end.thenRun(() -> remove(end));
        return CompletableFuture.completedFuture(null);
    }

    private synchronized void remove(CompletableFuture<Void> end) {
        pending.remove(end);
    }

    /** Releases the locks after the commits that have begun. */
    CompletableFuture<Void> release(Supplier<CompletableFuture<Void>> locks) {
        CompletableFuture<?>[] begun;
        synchronized (this) {
            ending = true;
            begun = pending.toArray(CompletableFuture[]::new);
        }
        return CompletableFuture.allOf(begun)
                .thenCompose(ended -> locks.get())
                .whenComplete((done, failure) -> released.complete(null));
    }
}
