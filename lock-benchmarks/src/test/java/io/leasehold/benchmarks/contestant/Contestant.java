package io.leasehold.benchmarks.contestant;

import java.io.Serializable;
import java.time.Duration;

/**
 * A way to lock that is measured. Implementations are constants of an enum or records, because they are sent to the
 * processes that lock.
 *
 * <p>To add a contestant, write a {@link LockClient} and a constant, and name the constant in the rows that it takes
 * part in.
 */
public interface Contestant extends Serializable {

    /** The name in the tables. */
    String label();

    /** The purpose of its figures. */
    Role role();

    /** The first cell of its line in a table; this library stands out. */
    default String title() {
        return role() == Role.OURS ? "**" + label() + "**" : label();
    }

    /**
     * Connects to the store.
     *
     * @param store the address of the store, see {@link io.leasehold.benchmarks.store.Store#address}
     * @param ttl how long the store keeps a lock that its holder does not renew
     * @return a client for all threads of this process
     * @throws Exception if the contestant cannot run here; it is then left out of the table, with the reason
     */
    LockClient open(String store, Duration ttl) throws Exception;
}
