package io.leasehold.contract.broken;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** One process that uses a {@link BrokenStore}. */
final class BrokenBackend implements LockBackend {

    private final List<Token> tokens = new CopyOnWriteArrayList<>();

    private final BrokenStore store;

    private volatile boolean closed;

    BrokenBackend(BrokenStore store) {
        this.store = store;
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
