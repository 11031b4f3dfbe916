package io.leasehold.aop.transaction;

import io.leasehold.LockHandle;
import io.leasehold.aop.invocation.TransactionBinding;
import java.util.List;
import java.util.Optional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Binds locks to the transaction that Spring knows on the current thread. */
public final class SpringTransactionBinding implements TransactionBinding {

    @Override
    public Optional<LockHandle> find(String locker, String key) {
        LockTransactionSynchronization.Resource resource = new LockTransactionSynchronization.Resource(locker, key);
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

    @Override
    public boolean takeOver(List<LockHandle> handles, boolean veto) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()
                || !TransactionSynchronizationManager.isActualTransactionActive()) {
            return false;
        }
        LockTransactionSynchronization locked = new LockTransactionSynchronization(handles, veto);
        TransactionSynchronizationManager.registerSynchronization(locked);
        locked.bind();
        return true;
    }
}
