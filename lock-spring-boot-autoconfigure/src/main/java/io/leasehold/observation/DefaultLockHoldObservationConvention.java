package io.leasehold.observation;

import io.leasehold.observation.LockObservationDocumentation.HighCardinality;
import io.leasehold.observation.LockObservationDocumentation.LowCardinality;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/** The default names and key values of observed holds. */
public class DefaultLockHoldObservationConvention implements LockHoldObservationConvention {

    @Override
    public String getName() {
        return "lock.holding";
    }

    @Override
    public String getContextualName(LockHoldContext context) {
        return "hold " + context.locker();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockHoldContext context) {
        return KeyValues.of(
                LowCardinality.LOCKER.withValue(context.locker()),
                LowCardinality.BACKEND.withValue(context.backend()),
                LowCardinality.OUTCOME.withValue(outcome(context)));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LockHoldContext context) {
        KeyValues values = KeyValues.of(HighCardinality.FENCING_TOKEN.withValue(Long.toString(context.fencingToken())));
        String key = context.key();
        return key == null ? values : values.and(HighCardinality.KEY.withValue(key));
    }

    private static String outcome(LockHoldContext context) {
        if (!context.isEnded()) {
            return KeyValue.NONE_VALUE;
        }
        return context.isLost() ? "lost" : "released";
    }
}
