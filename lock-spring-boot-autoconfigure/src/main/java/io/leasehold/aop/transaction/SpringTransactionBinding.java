package io.leasehold.aop.transaction;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.aop.invocation.LockLosses;
import io.leasehold.aop.invocation.TransactionBinding;
import java.util.List;
import java.util.Optional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Binds locks to Spring's transaction of the current thread. */
public final class SpringTransactionBinding implements TransactionBinding {

    @Override
    public Optional<LockHandle> find(Locker locker, String key) {
        LockTransactionSynchronization.Resource resource =
                new LockTransactionSynchronization.Resource(locker.lockSpace(), key);
        if (!(TransactionSynchronizationManager.getResource(resource)
                instanceof LockTransactionSynchronization bound)) {
            return Optional.empty();
        }
        if (bound.isCompleted()) {
            TransactionSynchronizationManager.unbindResourceIfPossible(resource);
            return Optional.empty();
        }
        return bound.handle(resource);
    }

    /** Prevents the commit of the active transaction if a lock of another transaction of this thread is lost. */
    void requireHeldAtCommit(LockHandle handle) {
        if (isActive() && !isKeptByActive(handle)) {
            TransactionSynchronizationManager.registerSynchronization(new HeldAtCommit(handle));
        }
    }

    @Override
    public boolean takeOver(List<LockHandle> handles, boolean veto) {
        if (!isActive()) {
            return false;
        }
        // a locker that the application wraps around one of ours has bound its locks itself
        List<LockHandle> unbound = handles.stream()
                .filter(handle -> !TransactionSynchronizationManager.hasResource(
                        LockTransactionSynchronization.Resource.of(handle)))
                .toList();
        if (!unbound.isEmpty()) {
            LockTransactionSynchronization locked = new LockTransactionSynchronization(unbound, veto);
            TransactionSynchronizationManager.registerSynchronization(locked);
            locked.bind();
        }
        return true;
    }

    private static boolean isActive() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    private static boolean isKeptByActive(LockHandle handle) {
        return TransactionSynchronizationManager.getSynchronizations().stream()
                .anyMatch(one -> one instanceof LockTransactionSynchronization locked && locked.keeps(handle)
                        || one.equals(new HeldAtCommit(handle)));
    }

    /** The check of a transaction that joined the lock of a suspended one. */
    private record HeldAtCommit(LockHandle handle) implements TransactionSynchronization {

        @Override
        public void beforeCommit(boolean readOnly) {
            if (!readOnly) {
                LockLosses.requireNone(List.of(handle));
            }
        }
    }
}
