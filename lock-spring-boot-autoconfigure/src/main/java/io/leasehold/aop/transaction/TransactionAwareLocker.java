package io.leasehold.aop.transaction;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.locker.DelegatingLockHandle;
import io.leasehold.locker.DelegatingLocker;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.util.ClassUtils;

/**
 * A locker that participates in the transactions of the calling thread. A lock that is acquired inside a transaction
 * ends with it, and the transaction does not commit after a loss. Further calls for the key on that thread join the
 * lock.
 */
public final class TransactionAwareLocker extends DelegatingLocker {

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            TransactionAwareLocker.class.getClassLoader());

    private final SpringTransactionBinding transactions = new SpringTransactionBinding();

    private TransactionAwareLocker(Locker delegate) {
        super(delegate);
    }

    /** The locker with transactions, or the locker itself if Spring's transactions are not on the class path. */
    public static Locker of(Locker locker) {
        return TRANSACTIONS ? new TransactionAwareLocker(locker) : locker;
    }

    @Override
    public Locker withoutTransactions() {
        return delegate();
    }

    @Override
    public boolean isKeptByTransaction(String key) {
        return transactions
                .find(this, visibleKey(key))
                .filter(kept -> !kept.hasEnded())
                .isPresent();
    }

    @Override
    public Locker withoutKeyCustomizers() {
        Locker uncustomized = delegate().withoutKeyCustomizers();
        return uncustomized == delegate() ? this : new TransactionAwareLocker(uncustomized);
    }

    @Override
    public Optional<LockHandle> tryLock(LockRequest request) {
        String key = visibleKey(request.key());
        Optional<LockHandle> joined = transactions.find(this, key);
        if (joined.isPresent()) {
            joined.get().requireConfirmed();
            transactions.requireHeldAtCommit(joined.get());
            return Optional.of(new TransactionHandle(joined.get()));
        }
        LockRequest visible = key.equals(request.key()) ? request : request.withKey(key);
        return delegate().withoutKeyCustomizers().tryLock(visible).map(this::bind);
    }

    private LockHandle bind(LockHandle handle) {
        try {
            return transactions.takeOver(List.of(handle), true) ? new TransactionHandle(handle) : handle;
        } catch (Throwable notBound) {
            // neither the transaction nor the caller would ever end the lock
            handle.waiveMinHoldTime();
            handle.release();
            throw notBound;
        }
    }

    /** A lock that the transaction releases. */
    private record TransactionHandle(LockHandle delegate) implements DelegatingLockHandle {

        @Override
        public void waiveMinHoldTime() {
            // other work of the transaction may have joined the lock, or may join it later
        }

        @Override
        public CompletionStage<Boolean> releaseAsync() {
            return CompletableFuture.completedFuture(delegate.isHeld());
        }
    }
}
