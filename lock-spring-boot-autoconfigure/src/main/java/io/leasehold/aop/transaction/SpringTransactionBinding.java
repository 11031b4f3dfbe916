package io.leasehold.aop.transaction;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.aop.invocation.AcquiredLocks;
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
        Resource resource = new Resource(locker.lockSpace(), key);
        return bound(resource).flatMap(locked -> locked.handle(resource));
    }

    private static Optional<LockSynchronization> bound(Resource resource) {
        if (!(TransactionSynchronizationManager.getResource(resource) instanceof LockSynchronization bound)) {
            return Optional.empty();
        }
        if (bound.completed) {
            TransactionSynchronizationManager.unbindResourceIfPossible(resource);
            return Optional.empty();
        }
        return Optional.of(bound);
    }

    @Override
    public void requireHeldAtCommit(List<LockHandle> joined) {
        for (LockHandle handle : joined) {
            Resource resource = Resource.of(handle);
            bound(resource)
                    .filter(locked -> locked.veto)
                    .flatMap(locked -> locked.handle(resource))
                    .ifPresent(this::requireHeldAtCommit);
        }
    }

    /** Prevents the commit of the active transaction if a lock of another transaction of this thread is lost. */
    void requireHeldAtCommit(LockHandle handle) {
        if (isActive() && !isKeptByActive(handle)) {
            TransactionSynchronizationManager.registerSynchronization(new HeldAtCommit(handle));
        }
    }

    /** Whether a synchronization fails before the commit if a lock is lost. */
    static boolean checksLocks(TransactionSynchronization synchronization) {
        return synchronization instanceof LockSynchronization || synchronization instanceof HeldAtCommit;
    }

    @Override
    public boolean takeOver(List<LockHandle> handles, boolean veto) {
        if (!isActive()) {
            return false;
        }
        // a locker that the application wraps around one of ours has bound its locks itself
        List<LockHandle> unbound = handles.stream()
                .filter(handle -> !TransactionSynchronizationManager.hasResource(Resource.of(handle)))
                .toList();
        if (!unbound.isEmpty()) {
            LockSynchronization locked = new LockSynchronization(unbound, veto);
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
                .anyMatch(one -> one instanceof LockSynchronization locked && locked.keeps(handle)
                        || one.equals(new HeldAtCommit(handle)));
    }

    /** The check of a transaction that joined the lock of a suspended one. */
    private record HeldAtCommit(LockHandle handle) implements TransactionSynchronization {

        @Override
        public void beforeCommit(boolean readOnly) {
            if (!readOnly) {
                LockLosses.requireConfirmed(List.of(handle));
            }
        }
    }

    /**
     * Locks that were acquired inside a transaction and end with it.
     *
     * <p>They stay bound to the thread while the transaction is suspended. Calls in between also run under these locks,
     * and join them.
     */
    private static final class LockSynchronization implements TransactionSynchronization {

        private final List<LockHandle> handles;

        private final boolean veto;

        private volatile boolean completed;

        private boolean releasesLast;

        LockSynchronization(List<LockHandle> handles, boolean veto) {
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

        @Override
        public void beforeCommit(boolean readOnly) {
            if (veto && !readOnly) {
                LockLosses.requireConfirmed(handles);
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
    }

    /** The name of a bound lock among the resources of a thread. */
    private record Resource(Object lockSpace, String key) {

        static Resource of(LockHandle handle) {
            return new Resource(handle.lockSpace(), handle.key());
        }
    }
}
