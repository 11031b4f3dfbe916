package io.leasehold.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A number in a row. */
@Entity
public class Account {

    @Id
    private String id = "";

    private int amount;

    protected Account() {}

    public Account(String id) {
        this.id = id;
    }

    public int amount() {
        return amount;
    }

    public void add(int more) {
        amount += more;
    }
}
