package io.leasehold.aop.transaction;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LossReason;
import io.leasehold.locker.DelegatingLocker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
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
    public Locker withoutKeyCustomizers() {
        Locker uncustomized = delegate().withoutKeyCustomizers();
        return uncustomized == delegate() ? this : new TransactionAwareLocker(uncustomized);
    }

    @Override
    public Optional<LockHandle> tryLock(LockRequest request) {
        String key = visibleKey(request.key());
        Optional<LockHandle> joined = transactions.find(this, key);
        if (joined.isPresent()) {
            joined.get().requireHeld();
            transactions.requireHeldAtCommit(joined.get());
            return Optional.of(new TransactionHandle(joined.get()));
        }
        LockRequest visible = key.equals(request.key()) ? request : request.withKey(key);
        return delegate().withoutKeyCustomizers().tryLock(visible).map(this::bind);
    }

    private LockHandle bind(LockHandle handle) {
        return transactions.takeOver(List.of(handle), true) ? new TransactionHandle(handle) : handle;
    }

    /** A lock that the transaction releases. */
    private record TransactionHandle(LockHandle lock) implements LockHandle {

        @Override
        public String locker() {
            return lock.locker();
        }

        @Override
        public Object lockSpace() {
            return lock.lockSpace();
        }

        @Override
        public String key() {
            return lock.key();
        }

        @Override
        public long fencingToken() {
            return lock.fencingToken();
        }

        @Override
        public boolean isHeld() {
            return lock.isHeld();
        }

        @Override
        public Duration remaining() {
            return lock.remaining();
        }

        @Override
        public void requireHeld() {
            lock.requireHeld();
        }

        @Override
        public void renew() {
            lock.renew();
        }

        @Override
        public void renew(Duration ttl) {
            lock.renew(ttl);
        }

        @Override
        public void onLost(Consumer<? super LossReason> callback) {
            lock.onLost(callback);
        }

        @Override
        public CompletionStage<Boolean> releaseAsync() {
            return CompletableFuture.completedFuture(lock.isHeld());
        }
    }
}
