package io.leasehold.test.autoconfigure.slice;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity of the application. */
@Entity
class Invoice {

    @Id
    private String id = "";

    private long amount;

    protected Invoice() {}

    Invoice(String id, long amount) {
        this.id = id;
        this.amount = amount;
    }

    String id() {
        return id;
    }

    long amount() {
        return amount;
    }
}
