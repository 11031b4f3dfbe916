package io.leasehold.contract.broken;

import io.leasehold.ForcedRelease;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.Instance;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One process that uses a {@link BrokenStore}. */
final class BrokenBackend implements LockBackend {

    private final List<Token> tokens = new CopyOnWriteArrayList<>();

    private final BrokenStore store;

    private final AtomicInteger connects = new AtomicInteger();

    private final AtomicInteger operations = new AtomicInteger();

    private final CompletableFuture<Void> connected =
            new CompletableFuture<Void>().completeOnTimeout(null, 10, TimeUnit.MILLISECONDS);

    private final ThreadLocal<Boolean> answering = ThreadLocal.withInitial(() -> false);

    private volatile @Nullable Instance instance;

    private volatile boolean closed;

    BrokenBackend(BrokenStore store) {
        this.store = store;
    }

    @Override
    public CompletionStage<Void> introduce(Instance instance) {
        this.instance = instance;
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> connect() {
        if (store.has(Mistake.CONNECTS_WITH_ONE_FUTURE)) {
            return connected;
        }
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
        if (closed && store.has(Mistake.ANSWERS_QUESTIONS_AFTER_CLOSE)) {
            return CompletableFuture.completedFuture(new LockState.Free());
        }
        return answer(() -> {
            LockState state = store.describe(id);
            Instance reader = instance;
            return reader != null && store.has(Mistake.REPORTS_THE_READER_AS_HOLDER) && state instanceof Held held
                    ? new Held(
                            held.kind(),
                            reader.name(),
                            held.since(),
                            held.remaining(),
                            held.fencingToken(),
                            held.waiting())
                    : state;
        });
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
        boolean tooEarly = operations.incrementAndGet() == 2
                && connects.get() == 0
                && store.has(Mistake.CONNECTS_FOR_THE_FIRST_OPERATION_ONLY);
        if (tooEarly || answering.get() || store.has(Mistake.FAILS_FOR_AN_INTERRUPTED_CALLER) && Thread.interrupted()) {
            return CompletableFuture.failedFuture(new IllegalStateException());
        }
        if (!closed && store.has(Mistake.REFUSES_CALLS_WHERE_IT_ANSWERS)) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS).execute(() -> {
                answering.set(true);
                answer.complete(operation.get());
                answering.set(false);
            });
            return answer;
        }
        if (!closed || store.has(Mistake.ANSWERS_AFTER_CLOSE)) {
            return CompletableFuture.completedFuture(operation.get());
        }
        if (store.has(Mistake.THROWS_INSTEAD_OF_FAILING)) {
            throw new IllegalStateException("closed");
        }
        return CompletableFuture.failedFuture(new IllegalStateException("closed"));
    }
}
