package io.leasehold.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and key values of observed acquisitions. */
public interface LockAcquireObservationConvention extends ObservationConvention<LockAcquireContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof LockAcquireContext;
    }
}
