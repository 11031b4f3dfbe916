package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionSynchronizationManager;

class CallersTransactionTests {

    private final BooleanSupplier inTransaction = CallersTransaction.probe();

    @AfterEach
    void end() {
        TransactionSynchronizationManager.clear();
    }

    @Test
    void aTransactionOfTheCallingThreadIsSeen() {
        assertThat(inTransaction.getAsBoolean()).isFalse();
        TransactionSynchronizationManager.setActualTransactionActive(true);
        assertThat(inTransaction.getAsBoolean()).isTrue();
    }
}
