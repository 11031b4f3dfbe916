package io.leasehold.test.autoconfigure.example;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockLostException;
import io.leasehold.test.TestLocks;
import io.leasehold.test.autoconfigure.AutoConfigureTestLocks;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** An example of docs/testing.md. */
@SpringBootTest
@AutoConfigureTestLocks
class InvoicesTests {

    @Autowired
    TestLocks locks;

    @Test
    void aLostLockFailsTheRun(@Autowired Invoices invoices) {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> invoices.print(() -> locks.lose("invoices")));
    }
}
