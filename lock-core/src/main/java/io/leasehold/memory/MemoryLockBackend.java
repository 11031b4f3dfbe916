package io.leasehold.memory;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Keeps leases in the memory of this JVM, which is all that it excludes: other processes do not see them.
 *
 * <p>Every stage is complete when it is returned. Nothing runs in the background: a lease that is past its ttl is gone
 * by the clock, and what is left of it is swept out by later calls. A released lock wakes the one who has waited
 * longest; being woken reserves nothing, the lock goes to whoever asks first.
 *
 * <p>Fencing tokens rise over all keys of the backend, and across restarts of the process as long as its wall clock does
 * not go back by more than the process was down.
 */
public final class MemoryLockBackend implements LockBackend {

    private final MemoryLeases leases;

    private volatile boolean closed;

    /**
     * Creates a backend without leases.
     *
     * @param nanoTime the monotonic clock that decides when a lease has expired, in nanoseconds, such as
     *     {@code System::nanoTime}
     * @param wallClock read once, to make the first fencing token greater than those of earlier runs
     */
    public MemoryLockBackend(LongSupplier nanoTime, InstantSource wallClock) {
        this(new MemoryLeases(nanoTime, wallClock));
    }

    MemoryLockBackend(MemoryLeases leases) {
        this.leases = leases;
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        return answer(() -> leases.acquire(command));
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return answer(() -> {
            List<RenewAnswer> answers = new ArrayList<>(commands.size());
            for (RenewCommand command : commands) {
                answers.add(leases.renew(command));
            }
            return answers;
        });
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return answer(() -> leases.release(command));
    }

    @Override
    public void close() {
        closed = true;
    }

    private <T> CompletionStage<T> answer(Supplier<T> operation) {
        if (closed) {
            return CompletableFuture.failedFuture(
                    new BackendFailure(Effect.NOT_DONE, "the memory backend is closed", null));
        }
        return CompletableFuture.completedFuture(operation.get());
    }
}
