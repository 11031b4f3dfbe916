package io.leasehold.autoconfigure;

import java.util.function.BooleanSupplier;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Whether the calling thread is in a transaction of Spring's. */
final class CallersTransaction {

    private static final String MANAGER = "org.springframework.transaction.support.TransactionSynchronizationManager";

    private CallersTransaction() {}

    static BooleanSupplier probe() {
        return ClassUtils.isPresent(MANAGER, CallersTransaction.class.getClassLoader()) ? Probe::ask : () -> false;
    }

    private static final class Probe {

        private static boolean ask() {
            return TransactionSynchronizationManager.isActualTransactionActive();
        }
    }
}
