package io.leasehold.aop.transaction;

import io.leasehold.LockHandle;
import io.leasehold.aop.invocation.AcquiredLocks;
import io.leasehold.aop.invocation.LockLosses;
import java.util.List;
import java.util.Optional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Locks that were acquired inside a transaction and end with it.
 *
 * <p>They stay bound to the thread while the transaction is suspended. Calls in between also run under these locks, and
 * join them.
 */
final class LockTransactionSynchronization implements TransactionSynchronization {

    private final List<LockHandle> handles;

    private final boolean veto;

    private volatile boolean completed;

    private boolean releasesLast;

    LockTransactionSynchronization(List<LockHandle> handles, boolean veto) {
        this.handles = List.copyOf(handles);
        this.veto = veto;
    }

    void bind() {
        handles.forEach(handle -> TransactionSynchronizationManager.bindResource(Resource.of(handle), this));
    }

    Optional<LockHandle> handle(Resource resource) {
        return handles.stream()
                .filter(handle -> Resource.of(handle).equals(resource))
                .findFirst();
    }

    boolean keeps(LockHandle handle) {
        return handles.contains(handle);
    }

    /** Fails if a synchronization keeps locks without which its transaction must not commit, and one is lost. */
    static void requireHeld(TransactionSynchronization synchronization) {
        if (synchronization instanceof LockTransactionSynchronization locked && locked.veto) {
            LockLosses.requireNone(locked.handles);
        }
    }

    boolean isCompleted() {
        return completed;
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        if (veto && !readOnly) {
            LockLosses.requireNone(handles);
        }
    }

    /**
     * Registers the release as the last callback, so that listeners of the transaction's end, such as those of
     * {@code AFTER_COMMIT}, run under the lock as they do if the method's own transaction is inside of it.
     */
    @Override
    public void beforeCompletion() {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new Release());
            releasesLast = true;
        }
    }

    @Override
    public void afterCompletion(int status) {
        if (!releasesLast) {
            release();
        }
    }

    private void release() {
        completed = true;
        for (LockHandle handle : handles) {
            TransactionSynchronizationManager.unbindResourceIfPossible(Resource.of(handle));
        }
        AcquiredLocks.releaseAll(handles);
    }

    private final class Release implements TransactionSynchronization {

        @Override
        public void afterCompletion(int status) {
            release();
        }
    }

    /** The name of a bound lock among the resources of a thread. */
    record Resource(Object lockSpace, String key) {

        static Resource of(LockHandle handle) {
            return new Resource(handle.lockSpace(), handle.key());
        }
    }
}
