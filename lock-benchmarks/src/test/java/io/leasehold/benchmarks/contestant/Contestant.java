package io.leasehold.benchmarks.contestant;

import java.io.Serializable;
import java.time.Duration;

/**
 * A way to lock that is measured. Constants of an enum or records, since they are sent to the processes that lock.
 *
 * <p>To add one, write a {@link LockClient} and a constant, and name the constant in the rows that it takes part in.
 */
public interface Contestant extends Serializable {

    /** What it is called in the tables. */
    String label();

    /** What its figures are for. */
    Role role();

    /** What heads its line in a table: ours stands out. */
    default String title() {
        return role() == Role.OURS ? "**" + label() + "**" : label();
    }

    /**
     * Connects to the store.
     *
     * @param store where the store is, as {@link io.leasehold.benchmarks.store.Store#address} says
     * @param ttl how long the store keeps a lock without hearing of its holder
     * @return a client for all threads of this process
     * @throws Exception if it cannot run here; it is then left out, with the reason
     */
    LockClient open(String store, Duration ttl) throws Exception;
}
