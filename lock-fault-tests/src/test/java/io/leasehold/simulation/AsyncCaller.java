package io.leasehold.simulation;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.simulation.Plan.Callback;
import io.leasehold.simulation.Plan.CallerPlan;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A caller without a thread. Its work under the lock is attached to the future. */
final class AsyncCaller extends Caller {

    private @Nullable CompletableFuture<Optional<LockHandle>> asked;

    AsyncCaller(Node node, CallerPlan plan) {
        super(node, plan);
    }

    @Override
    void ask() {
        thread().execute(() -> {
            note("asks asynchronously");
            try {
                CompletableFuture<Optional<LockHandle>> future =
                        thread().asking(() -> locker().tryLockAsync(request())).toCompletableFuture();
                asked = future;
                future.whenComplete(this::answered);
            } catch (LockBackendException ex) {
                failed(ex);
                ended();
            } catch (Exploded ex) {
                note("met ", ex);
                ended();
            }
        });
    }

    @Override
    void giveUp() {
        thread().execute(() -> {
            CompletableFuture<Optional<LockHandle>> future = asked;
            if (future == null || future.isDone()) {
                return;
            }
            note("gives up: ", plan().giveUp());
            switch (plan().giveUp()) {
                case CANCEL -> future.cancel(true);
                case TIME_OUT -> future.completeExceptionally(new TimeoutException());
                case COMPLETE -> future.complete(Optional.empty());
                default -> throw new IllegalStateException("blocking callers are interrupted");
            }
        });
    }

    private void answered(@Nullable Optional<LockHandle> lock, @Nullable Throwable failure) {
        requireThreadOfApplication("the continuation of an acquisition");
        if (lock != null && lock.isPresent()) {
            use(lock.get());
        } else {
            if (failure != null
                    && !(failure instanceof CancellationException)
                    && !(failure instanceof TimeoutException)) {
                failed(failure instanceof CompletionException ? failure.getCause() : failure);
            }
            note("is not given the lock");
            ended();
        }
    }

    /** Ends the hold later on another thread; a continuation that blocks ends it itself. */
    private void use(LockHandle lock) {
        Oracle.View view = hold(lock);
        if (plan().callback() == Callback.BLOCKS) {
            pass(plan().blocks());
            giveBack(view, lock);
            return;
        }
        simulation().after(plan().hold(), () -> thread().execute(() -> giveBack(view, lock)));
        misbehave();
    }

    private void giveBack(Oracle.View view, LockHandle lock) {
        note("releases asynchronously");
        node().oracle().releases(view);
        try {
            whenReleased(lock.releaseAsync());
        } finally {
            ended();
        }
    }
}
