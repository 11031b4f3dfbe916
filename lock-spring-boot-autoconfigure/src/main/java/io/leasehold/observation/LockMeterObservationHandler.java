package io.leasehold.observation;

import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;

/**
 * Makes no meters of the observations of locks. The meters of locks are recorded without observations. Spring Boot
 * passes an observation to the first {@link MeterObservationHandler} that supports it, and this one comes first.
 */
public final class LockMeterObservationHandler implements MeterObservationHandler<LockObservationContext> {

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof LockObservationContext;
    }
}
