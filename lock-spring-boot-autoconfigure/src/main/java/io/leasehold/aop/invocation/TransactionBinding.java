package io.leasehold.aop.invocation;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import java.util.List;
import java.util.Optional;

/** The locks that end with a transaction. */
public interface TransactionBinding {

    /** The binding if there are no transactions. */
    TransactionBinding NONE = new TransactionBinding() {

        @Override
        public Optional<LockHandle> find(Locker locker, String key) {
            return Optional.empty();
        }

        @Override
        public boolean takeOver(List<LockHandle> handles, boolean veto) {
            return false;
        }

        @Override
        public void requireHeldAtCommit(List<LockHandle> joined) {}
    };

    /** The lock that a transaction of this thread keeps, if it keeps one for the key. */
    Optional<LockHandle> find(Locker locker, String key);

    /**
     * Leaves the release of some locks to the transaction that is active on this thread.
     *
     * @param veto whether the transaction must not commit if one of them is lost
     * @return false if no transaction is active; the locks were then not taken over
     */
    boolean takeOver(List<LockHandle> handles, boolean veto);

    /**
     * Prevents the commit of the transaction that is active on this thread after the loss of a joined lock, if a
     * suspended transaction keeps the lock and must not commit without it either.
     */
    void requireHeldAtCommit(List<LockHandle> joined);
}
