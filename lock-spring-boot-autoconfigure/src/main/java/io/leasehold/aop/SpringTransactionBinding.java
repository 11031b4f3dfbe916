package io.leasehold.aop;

import io.leasehold.LockHandle;
import java.util.List;
import java.util.Optional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Binds locks to the transaction that Spring knows on the current thread. */
final class SpringTransactionBinding implements TransactionBinding {

    @Override
    public Optional<LockHandle> find(String locker, String key) {
        LockedTransaction.Resource resource = new LockedTransaction.Resource(locker, key);
        if (!(TransactionSynchronizationManager.getResource(resource) instanceof LockedTransaction bound)) {
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
        LockedTransaction locked = new LockedTransaction(handles, veto);
        TransactionSynchronizationManager.registerSynchronization(locked);
        locked.bind();
        return true;
    }
}
