package io.leasehold.aop;

import io.leasehold.LockHandle;
import java.util.List;
import java.util.Optional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Locks that were taken inside a transaction and end with it.
 *
 * <p>They stay bound to the thread while the transaction is suspended: what runs in between runs under them too, and
 * joins them.
 */
final class LockedTransaction implements TransactionSynchronization {

    private final List<LockHandle> handles;

    private final boolean veto;

    private volatile boolean completed;

    LockedTransaction(List<LockHandle> handles, boolean veto) {
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

    boolean isCompleted() {
        return completed;
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        if (veto && !readOnly) {
            Losses.requireNone(handles);
        }
    }

    @Override
    public void afterCompletion(int status) {
        completed = true;
        for (LockHandle handle : handles) {
            TransactionSynchronizationManager.unbindResourceIfPossible(Resource.of(handle));
        }
        Releases.releaseAll(handles);
    }

    /** The name of a bound lock among the resources of a thread. */
    record Resource(String locker, String key) {

        static Resource of(LockHandle handle) {
            return new Resource(handle.locker(), handle.key());
        }
    }
}
