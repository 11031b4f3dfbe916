package io.leasehold.observation;

import io.leasehold.LockListener.AcquireOutcome;
import io.leasehold.observation.LockObservationDocumentation.HighCardinality;
import io.leasehold.observation.LockObservationDocumentation.LowCardinality;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.util.Locale;

/** The default names and key values of observed acquisitions. */
public class DefaultLockAcquireObservationConvention implements LockAcquireObservationConvention {

    @Override
    public String getName() {
        return "lock.acquisition";
    }

    @Override
    public String getContextualName(LockAcquireContext context) {
        return "acquire " + context.locker();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockAcquireContext context) {
        AcquireOutcome outcome = context.outcome();
        return KeyValues.of(
                LowCardinality.LOCKER.withValue(context.locker()),
                LowCardinality.BACKEND.withValue(context.backend()),
                LowCardinality.OUTCOME.withValue(
                        outcome == null ? KeyValue.NONE_VALUE : outcome.name().toLowerCase(Locale.ROOT)),
                LowCardinality.HANDOVER.withValue(Boolean.toString(context.isHandedOver())));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LockAcquireContext context) {
        String key = context.key();
        return key == null ? KeyValues.empty() : KeyValues.of(HighCardinality.KEY.withValue(key));
    }
}
