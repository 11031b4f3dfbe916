package io.leasehold.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.Transient;

/** A number in a row. */
@Entity
public class Account {

    @Id
    private String id = "";

    private int amount;

    @Transient
    private Runnable whenWritten = () -> {};

    protected Account() {}

    public Account(String id) {
        this.id = id;
    }

    /** Runs an action when the change is written, which may be as late as in the commit. */
    public void whenWritten(Runnable action) {
        whenWritten = action;
    }

    @PreUpdate
    void write() {
        whenWritten.run();
    }

    public int amount() {
        return amount;
    }

    public void add(int more) {
        amount += more;
    }
}
