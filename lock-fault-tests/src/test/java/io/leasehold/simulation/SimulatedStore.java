package io.leasehold.simulation;

import io.leasehold.simulation.Plan.FaultPlan;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A model of a store: the servers, and the connections of processes to them. */
interface SimulatedStore {

    /** The backend of a process. */
    LockBackend backend(SimulatedProcess process);

    List<? extends SimulatedServer> servers();

    /** All entries that have not expired. */
    List<Leftover> leftovers();

    /** Injects a fault that exists only in this kind of store. */
    void strike(FaultPlan fault, SimulatedServer server);

    /** The true time at which a token was granted; -1 if it was not. */
    default long grantedAt(Token token) {
        return servers().stream()
                .mapToLong(server -> server.grantedAt(token))
                .max()
                .orElse(-1);
    }

    /** The true time at which the store lost its data in a way that no lock survives; -1 if it did not. */
    default long dataLostAt() {
        return servers().stream().mapToLong(SimulatedServer::dataLostAt).max().orElse(-1);
    }

    /**
     * An entry that an acquisition has left in a store.
     *
     * @param process the process of the acquisition
     * @param keptOnPurpose whether the entry stays for a minimum hold time
     * @param revoked whether the entry can no longer be renewed, and keeps its remaining time for its holder
     * @param lateness the time that the command was in transit
     */
    record Leftover(
            LockId id,
            Token token,
            @Nullable SimulatedProcess process,
            boolean queued,
            boolean keptOnPurpose,
            boolean revoked,
            long lateness) {}
}
