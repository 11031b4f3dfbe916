package io.leasehold.simulation;

import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.spi.Instance;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The states of locks that models of stores report. */
final class SimulatedState {

    private SimulatedState() {}

    /** The state of a lock that is held or kept. All simulated processes have the same name. */
    static LockState of(
            Token token, boolean released, boolean revoked, long remainingNanos, OptionalLong fencingToken) {
        Instance instance = token.instance();
        Kind kind = released ? Kind.RELEASED : revoked ? Kind.REVOKED : Kind.HOLDER;
        return new Held(
                kind,
                instance == null ? null : instance.name(),
                null,
                Duration.ofNanos(remainingNanos),
                fencingToken,
                OptionalInt.empty());
    }
}
