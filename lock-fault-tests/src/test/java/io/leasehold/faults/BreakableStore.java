package io.leasehold.faults;

import io.leasehold.spi.LockId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A store for the fault matrix: servers that can be broken, and how a process connects to them. */
abstract class BreakableStore implements AutoCloseable {

    /** The name in the table of results. */
    abstract String name();

    /** Where its servers listen on the loopback interface. */
    abstract List<Integer> ports();

    /**
     * Connects a process.
     *
     * @param ports where it finds the servers, in the order of {@link #ports()}
     */
    abstract Connection connect(List<Integer> ports);

    /** The ttl of all leases of the matrix. */
    Duration ttl() {
        return Duration.ofMillis(1500);
    }

    /** The longest that processes wait for one answer. */
    Duration commandTimeout() {
        return ttl().dividedBy(6);
    }

    /** How long after the end of a fault a lock that nobody holds any more may still be taken. */
    Duration recovery() {
        return ttl().plusSeconds(1);
    }

    /** What this store's servers can be made to suffer, and are said to survive. */
    Set<ServerFault> serverFaults() {
        return Set.of();
    }

    /** Whether the store may give a lock away that is still held, as its documentation says. */
    boolean mayLoseGrants(FaultCase plan) {
        return plan.server() == ServerFault.KILL_AND_FORGET;
    }

    /** Whether a lock outlives the connection that it was taken over. */
    boolean keepsLocksOfBrokenConnections() {
        return true;
    }

    /** For how long after a confirmed release others may still be refused, because the confirmation is not everybody's. */
    Duration releaseTail() {
        return Duration.ZERO;
    }

    /** The token for which a working store keeps a lock; empty if for nobody, or if it is not known how to ask. */
    Optional<String> keptFor(LockId id) {
        return Optional.empty();
    }

    /** Breaks servers. */
    void strike(ServerFault fault, List<Integer> nodes) {
        throw new IllegalStateException(name() + " cannot suffer " + fault);
    }

    /** Repairs the servers that were broken. */
    void heal(ServerFault fault, List<Integer> nodes) {
        throw new IllegalStateException(name() + " cannot suffer " + fault);
    }

    @Override
    public void close() {}
}
