package io.leasehold.spi;

import io.leasehold.ForcedRelease;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;

/**
 * A backend that passes every operation to another one, including {@link #close()}. Base class of decorators, which
 * override the operations that they change.
 */
public abstract class DelegatingLockBackend implements LockBackend {

    private final LockBackend delegate;

    /**
     * Creates a decorator.
     *
     * @param delegate the backend to decorate
     */
    protected DelegatingLockBackend(LockBackend delegate) {
        this.delegate = Objects.requireNonNull(delegate, "delegate");
    }

    /**
     * Returns the decorated backend.
     *
     * @return the backend
     */
    protected final LockBackend delegate() {
        return delegate;
    }

    @Override
    public CompletionStage<Void> connect() {
        return delegate.connect();
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        return delegate.acquire(command);
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return delegate.renew(commands);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return delegate.release(command);
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        return delegate.inspect();
    }

    @Override
    public CompletionStage<OptionalLong> clockMillis() {
        return delegate.clockMillis();
    }

    @Override
    public CompletionStage<Void> introduce(Instance instance) {
        return delegate.introduce(instance);
    }

    @Override
    public CompletionStage<LockState> describe(LockId id) {
        return delegate.describe(id);
    }

    @Override
    public CompletionStage<LockListing> list(String namespace, int limit) {
        return delegate.list(namespace, limit);
    }

    @Override
    public CompletionStage<ForcedRelease.Outcome> revoke(LockId id, long fencingToken) {
        return delegate.revoke(id, fencingToken);
    }

    @Override
    public void onRevocation(LongConsumer listener) {
        delegate.onRevocation(listener);
    }

    @Override
    public void close() {
        delegate.close();
    }
}
