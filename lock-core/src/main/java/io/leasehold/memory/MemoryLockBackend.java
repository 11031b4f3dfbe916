package io.leasehold.memory;

import io.leasehold.ForcedRelease;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
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
 * Keeps leases in the memory of this JVM. They exclude only callers in this process; other processes do not see them.
 *
 * <p>Every returned stage is already complete. Nothing runs in the background: a lease expires by the clock, and later
 * calls evict expired leases. A release notifies the waiter that has waited longest. The wake-up reserves nothing; the
 * next caller that acquires gets the lock.
 *
 * <p>Fencing tokens increase across all keys of the backend. They also increase across restarts of the process, unless
 * its wall clock is set back by more than the time for which the process was down.
 */
public final class MemoryLockBackend implements LockBackend {

    private final MemoryLeases leases;

    private volatile boolean closed;

    /**
     * Creates a backend without leases.
     *
     * @param nanoTime the monotonic clock that determines when a lease has expired, in nanoseconds, such as
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
    public CompletionStage<LockState> describe(LockId id) {
        return answer(() -> leases.describe(id));
    }

    @Override
    public CompletionStage<LockListing> list(String namespace, int limit) {
        return answer(() -> leases.list(namespace, limit));
    }

    @Override
    public CompletionStage<ForcedRelease.Outcome> revoke(LockId id, long fencingToken) {
        return answer(() -> leases.revoke(id, fencingToken));
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
