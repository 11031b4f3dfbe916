package io.leasehold.autoconfigure;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import jakarta.annotation.Priority;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The locker that is injected where neither a qualifier nor the name of the parameter asks for another.
 *
 * <p>It has a priority instead of being primary: a primary bean would also be injected into a parameter
 * {@code Locker deployLocker}, and so silently lock in another namespace than the one that is named there.
 */
@Priority(Integer.MAX_VALUE)
final class DefaultLocker implements Locker {

    private final Locker delegate;

    DefaultLocker(Locker delegate) {
        this.delegate = delegate;
    }

    @Override
    public String name() {
        return delegate.name();
    }

    @Override
    public Optional<LockHandle> tryLock(LockRequest request) {
        return delegate.tryLock(request);
    }

    @Override
    public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
        return delegate.tryLockAsync(request);
    }

    @Override
    public String toString() {
        return delegate.toString();
    }
}
