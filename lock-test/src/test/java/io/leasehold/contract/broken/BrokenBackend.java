package io.leasehold.contract.broken;

import io.leasehold.ForcedRelease;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** One process that uses a {@link BrokenStore}. */
final class BrokenBackend implements LockBackend {

    private final List<Token> tokens = new CopyOnWriteArrayList<>();

    private final BrokenStore store;

    private final AtomicInteger connects = new AtomicInteger();

    private volatile boolean closed;

    BrokenBackend(BrokenStore store) {
        this.store = store;
    }

    @Override
    public CompletionStage<Void> connect() {
        return connects.incrementAndGet() > 1 && store.has(Mistake.CONNECTS_ONLY_ONCE)
                ? CompletableFuture.failedFuture(new IllegalStateException("already connected"))
                : CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<OptionalLong> clockMillis() {
        long millis = System.currentTimeMillis();
        return answer(() -> OptionalLong.of(store.has(Mistake.CLOCK_IS_IN_SECONDS) ? millis / 1_000 : millis));
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        tokens.add(command.token());
        return answer(() -> store.acquire(command));
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return answer(() -> store.renew(commands));
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return answer(() -> store.release(command));
    }

    @Override
    public CompletionStage<LockState> describe(LockId id) {
        return answer(() -> store.describe(id));
    }

    @Override
    public CompletionStage<LockListing> list(String namespace, int limit) {
        return answer(() -> store.list(namespace, limit));
    }

    @Override
    public CompletionStage<ForcedRelease.Outcome> revoke(LockId id, long fencingToken) {
        return answer(() -> store.revoke(id, fencingToken));
    }

    @Override
    public void close() {
        closed = true;
        if (store.has(Mistake.CLOSE_RELEASES)) {
            store.removeAllOf(tokens);
        }
    }

    private <T> CompletionStage<T> answer(Supplier<T> operation) {
        if (!closed || store.has(Mistake.ANSWERS_AFTER_CLOSE)) {
            return CompletableFuture.completedFuture(operation.get());
        }
        if (store.has(Mistake.THROWS_INSTEAD_OF_FAILING)) {
            throw new IllegalStateException("closed");
        }
        return CompletableFuture.failedFuture(new IllegalStateException("closed"));
    }
}
