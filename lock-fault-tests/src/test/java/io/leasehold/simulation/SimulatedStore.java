package io.leasehold.simulation;

import io.leasehold.simulation.Plan.FaultPlan;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A model of a store: the servers, and how processes reach them. */
interface SimulatedStore {

    /** The backend of a process. */
    LockBackend backend(SimulatedProcess process);

    List<? extends SimulatedServer> servers();

    /** Everything that has not expired. */
    List<Leftover> leftovers();

    /** Something that goes wrong in this kind of store only. */
    void strike(FaultPlan fault, SimulatedServer server);

    /** When a token was granted, in true time; -1 if it was not. */
    default long grantedAt(Token token) {
        return servers().stream()
                .mapToLong(server -> server.grantedAt(token))
                .max()
                .orElse(-1);
    }

    /** When the store lost its data in a way that no lock survives; -1 if it did not. */
    default long dataLostAt() {
        return servers().stream().mapToLong(SimulatedServer::dataLostAt).max().orElse(-1);
    }

    /**
     * What a store still has of an acquisition.
     *
     * @param process the process that asked for it
     * @param keptOnPurpose whether it stays for a minimum hold time
     * @param lateness how long the command was under way
     */
    record Leftover(
            LockId id,
            Token token,
            @Nullable SimulatedProcess process,
            boolean queued,
            boolean keptOnPurpose,
            long lateness) {}
}
