package io.leasehold.aop;

import org.springframework.util.ClassUtils;

/** Chooses the binding that the class path allows. */
final class TransactionBindings {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            TransactionBindings.class.getClassLoader());

    private TransactionBindings() {}

    static TransactionBinding ofClassPath() {
        return PRESENT ? new SpringTransactionBinding() : TransactionBinding.NONE;
    }
}
