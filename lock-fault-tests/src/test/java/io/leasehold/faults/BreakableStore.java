package io.leasehold.faults;

import io.leasehold.spi.LockId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A store for the fault matrix: servers that can be broken, and the connections of a process to them. */
abstract class BreakableStore implements AutoCloseable {

    /** The name in the table of results. */
    abstract String name();

    /** The ports of its servers on the loopback interface. */
    abstract List<Integer> ports();

    /**
     * Connects a process.
     *
     * @param ports the ports on which the process reaches the servers, in the order of {@link #ports()}
     */
    abstract Connection connect(List<Integer> ports);

    /** The ttl of all leases of the matrix. */
    Duration ttl() {
        return Duration.ofMillis(1500);
    }

    /** The longest time that processes wait for one answer. */
    Duration commandTimeout() {
        return ttl().dividedBy(6);
    }

    /** How long after the end of a fault a lock without a holder may still be taken. */
    Duration recovery() {
        return ttl().plusSeconds(1);
    }

    /** The faults of this store's servers that the store is documented to survive. */
    Set<ServerFault> serverFaults() {
        return Set.of();
    }

    /** Whether the store may grant a lock that is still held, as documented. */
    boolean mayLoseGrants(FaultCase plan) {
        return plan.server() == ServerFault.KILL_AND_FORGET;
    }

    /** Whether the store may end a lock whose lease is valid, as documented. */
    boolean mayEndLocks(FaultCase plan) {
        return mayLoseGrants(plan);
    }

    /** Whether new connections to the store may take as long as a lease, because the client pauses between attempts. */
    boolean mayReconnectLate(FaultCase plan) {
        return false;
    }

    /** Whether the store may refuse a free lock for a ttl after a fault, as documented. */
    boolean mayRefuseFreeLocks(FaultCase plan) {
        return false;
    }

    /** Whether a lock outlives the connection over which it was acquired. */
    boolean keepsLocksOfBrokenConnections() {
        return true;
    }

    /**
     * How long after a confirmed release other callers may still be refused, because not all servers have confirmed it.
     */
    Duration releaseTail() {
        return Duration.ZERO;
    }

    /** The token of the holder in a working store; empty if there is no holder, or if the store cannot be asked. */
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
