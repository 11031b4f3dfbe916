package io.leasehold.test;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An example of docs/testing.md. */
class InvoiceRunTests {

    @RegisterExtension
    final TestLocks locks = TestLocks.create();

    @Test
    void aRunThatLosesItsLockStops() {
        InvoiceRun run = new InvoiceRun(locks.locker("billing"), () -> locks.lose("invoices"));
        assertThat(run.printAll(100)).isEqualTo(1);
    }
}
