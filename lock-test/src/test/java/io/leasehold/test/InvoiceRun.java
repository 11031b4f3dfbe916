package io.leasehold.test;

import io.leasehold.LockHandle;
import io.leasehold.Locker;

/** The code under test of the documentation's example: it stops when it loses its lock. */
record InvoiceRun(Locker locker, Runnable printer) {

    int printAll(int invoices) {
        try (LockHandle lock = locker.lock("invoices")) {
            for (int printed = 0; printed < invoices; printed++) {
                if (!lock.isHeld()) {
                    return printed;
                }
                printer.run();
            }
            return invoices;
        }
    }
}
