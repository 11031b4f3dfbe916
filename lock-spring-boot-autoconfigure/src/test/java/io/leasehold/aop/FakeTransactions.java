package io.leasehold.aop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's handling of transactions over no resource: it tells what became of them. */
public final class FakeTransactions extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1L;

    final transient List<String> outcomes = new CopyOnWriteArrayList<>();

    boolean commitFails;

    private transient Object active;

    /** Runs transactions of the given propagation. */
    public TransactionTemplate template(int propagation) {
        TransactionTemplate template = new TransactionTemplate(this);
        template.setPropagationBehavior(propagation);
        return template;
    }

    /** What became of the transactions so far. */
    public List<String> outcomes() {
        return List.copyOf(outcomes);
    }

    @Override
    protected Object doGetTransaction() {
        return this;
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return active != null;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        active = new Object();
    }

    @Override
    protected Object doSuspend(Object transaction) {
        Object suspended = active;
        active = null;
        return suspended;
    }

    @Override
    protected void doResume(Object transaction, Object suspendedResources) {
        active = suspendedResources;
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        if (commitFails) {
            throw new TransactionSystemException("commit");
        }
        outcomes.add("committed");
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        outcomes.add("rolled back");
    }

    @Override
    protected void doSetRollbackOnly(DefaultTransactionStatus status) {
        status.setRollbackOnly();
    }

    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        active = null;
    }
}
