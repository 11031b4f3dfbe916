package io.leasehold.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and key values of observed holds. */
public interface LockHoldObservationConvention extends ObservationConvention<LockHoldContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof LockHoldContext;
    }
}
