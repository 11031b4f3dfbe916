package io.leasehold.aop;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import java.util.Collection;
import java.util.Optional;

/** Finds the locks under which a call is made already. */
final class JoinedLocks {

    private final TransactionBinding transactions;

    JoinedLocks(TransactionBinding transactions) {
        this.transactions = transactions;
    }

    /**
     * Looks in the thread's context, in its transaction and among the given locks.
     *
     * @throws io.leasehold.LockLostException if there is such a lock, but it is lost
     * @throws IllegalStateException if there is such a lock, but it was released
     */
    Optional<LockHandle> find(String locker, String key, Collection<LockHandle> others) {
        Optional<LockHandle> found = LockContext.find(locker, key);
        if (found.isEmpty()) {
            found = transactions.find(locker, key);
        }
        if (found.isEmpty() && !others.isEmpty()) {
            found = others.stream()
                    .filter(handle ->
                            handle.locker().equals(locker) && handle.key().equals(key))
                    .findFirst();
        }
        found.ifPresent(LockHandle::requireHeld);
        return found;
    }
}
