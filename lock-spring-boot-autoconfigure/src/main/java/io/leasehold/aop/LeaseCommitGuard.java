package io.leasehold.aop;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import java.util.List;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Looks, just before a transaction that was begun under a lock commits, whether the lock is still held. If it is lost,
 * {@link io.leasehold.LockLostException} stops the commit and the transaction rolls back.
 *
 * <p>Knows the locks of the thread that commits, so it looks at transactions that are bound to a thread; reactive ones have
 * {@link PublisherCommitGuard}.
 *
 * <p>A transaction that only reads commits: there is nothing to undo. One that is marked for rollback never gets here.
 */
final class LeaseCommitGuard implements TransactionExecutionListener {

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        if (transaction.isReadOnly()) {
            return;
        }
        List<LockHandle> handles = LockContext.all();
        Losses.requireNone(handles.stream()
                .filter(handle -> !ToleratedLosses.contains(handle))
                .toList());
    }
}
