package io.leasehold.autoconfigure.backend;

import io.leasehold.ForcedRelease;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that has no connection while the application is stopped, as after a checkpoint or between tests. It is closed
 * by {@link #pause} and created anew for the first operation after {@link #resume}. Operations in between fail.
 */
final class PausableLockBackend implements LockBackend {

    private final Supplier<LockBackend> factory;

    private final Consumer<LockBackend> created;

    private final Set<LongConsumer> revocationListeners = new CopyOnWriteArraySet<>();

    private volatile @Nullable LockBackend open;

    private boolean paused;

    /** Creates the store immediately, so that invalid settings fail the start. */
    PausableLockBackend(Supplier<LockBackend> factory, Consumer<LockBackend> created) {
        this.factory = factory;
        this.created = created;
        this.open = factory.get();
    }

    /** Announces the store that the constructor has created. */
    void announce() {
        LockBackend store = open;
        if (store != null) {
            created.accept(store);
        }
    }

    /** The store if it exists and has a type. */
    <T extends LockBackend> Optional<T> as(Class<T> type) {
        return Optional.ofNullable(open).filter(type::isInstance).map(type::cast);
    }

    synchronized void pause() {
        paused = true;
        LockBackend store = open;
        open = null;
        if (store != null) {
            store.close();
        }
    }

    synchronized void resume() {
        paused = false;
    }

    @Override
    public CompletionStage<Void> connect() {
        return call(LockBackend::connect);
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        return call(store -> store.acquire(command));
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return call(store -> store.renew(commands));
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return call(store -> store.release(command));
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        return call(LockBackend::inspect);
    }

    @Override
    public CompletionStage<OptionalLong> clockMillis() {
        return call(LockBackend::clockMillis);
    }

    @Override
    public CompletionStage<Void> introduce(Instance instance) {
        return call(store -> store.introduce(instance));
    }

    @Override
    public CompletionStage<LockState> describe(LockId id) {
        return call(store -> store.describe(id));
    }

    @Override
    public CompletionStage<LockListing> list(String namespace, int limit) {
        return call(store -> store.list(namespace, limit));
    }

    @Override
    public CompletionStage<ForcedRelease.Outcome> revoke(LockId id, long fencingToken) {
        return call(store -> store.revoke(id, fencingToken));
    }

    /** The listener is also added to each store that is created anew. */
    @Override
    public synchronized void onRevocation(LongConsumer listener) {
        revocationListeners.add(listener);
        LockBackend store = open;
        if (store != null) {
            store.onRevocation(listener);
        }
    }

    @Override
    public void close() {
        pause();
    }

    private <T> CompletionStage<T> call(Function<LockBackend, CompletionStage<T>> operation) {
        LockBackend store = open;
        if (store == null) {
            store = reopen();
        }
        return store == null
                ? CompletableFuture.failedFuture(
                        new BackendFailure(Effect.NOT_DONE, "the application is stopped", null))
                : operation.apply(store);
    }

    private synchronized @Nullable LockBackend reopen() {
        if (open == null && !paused) {
            LockBackend store = factory.get();
            try {
                revocationListeners.forEach(store::onRevocation);
                created.accept(store);
            } catch (Throwable ex) {
                // the next operation creates another one
                store.close();
                throw ex;
            }
            open = store;
        }
        return open;
    }
}
