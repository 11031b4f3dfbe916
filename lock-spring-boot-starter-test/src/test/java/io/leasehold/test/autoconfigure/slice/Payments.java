package io.leasehold.test.autoconfigure.slice;

import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import org.springframework.stereotype.Service;

/** A service with a locked method and a locker, which no slice includes. */
@Service
class Payments {

    private final Invoices invoices;

    private final Locker locker;

    Payments(Invoices invoices, Locker locker) {
        this.invoices = invoices;
        this.locker = locker;
    }

    @DistributedLock("#id")
    public Receipt pay(String id) {
        Invoice invoice = invoices.findById(id).orElseThrow();
        return new Receipt(locker.name() + invoice.id(), invoice.amount());
    }
}
