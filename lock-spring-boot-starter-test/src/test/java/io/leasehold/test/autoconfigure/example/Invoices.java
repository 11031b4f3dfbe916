package io.leasehold.test.autoconfigure.example;

import io.leasehold.annotation.DistributedLock;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application of the documentation's example. */
@SpringBootApplication
class Invoices {

    @DistributedLock("'invoices'")
    public void print(Runnable printer) {
        printer.run();
    }
}
