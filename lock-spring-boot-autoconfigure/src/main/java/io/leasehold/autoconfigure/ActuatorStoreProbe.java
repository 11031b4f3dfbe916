package io.leasehold.autoconfigure;

import io.leasehold.actuate.StoreProbe;
import io.leasehold.actuate.StoreState;
import io.leasehold.spi.SafetyFinding;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The answers of a {@link StoreInspection} in the words of the actuator. */
final class ActuatorStoreProbe implements StoreProbe {

    private final StoreInspection inspection;

    ActuatorStoreProbe(StoreInspection inspection) {
        this.inspection = inspection;
    }

    @Override
    public Map<String, StoreState> probe() {
        Map<String, StoreState> states = new TreeMap<>();
        inspection.begin().forEach((store, answer) -> states.put(store, state(answer)));
        return states;
    }

    private StoreState state(CompletableFuture<List<SafetyFinding>> answer) {
        try {
            return StoreState.reachable(
                    answer.join().stream().map(SafetyFinding::toString).toList());
        } catch (CompletionException ex) {
            return StoreState.unreachable(StoreInspection.explain(ex));
        }
    }
}
