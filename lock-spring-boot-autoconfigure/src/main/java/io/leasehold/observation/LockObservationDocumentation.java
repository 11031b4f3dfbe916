package io.leasehold.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of locks. Their names differ from those of the meters, so that a handler that makes meters of
 * observations records nothing twice.
 */
public enum LockObservationDocumentation implements ObservationDocumentation {

    /** One caller's attempt to acquire a lock, from the call to the grant or the failure. */
    ACQUISITION {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultLockAcquireObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return LowCardinality.values();
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {HighCardinality.KEY};
        }
    },

    /** One hold, from the grant to the release or the loss. Its parent is the acquisition. */
    HOLDING {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultLockHoldObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {LowCardinality.LOCKER, LowCardinality.BACKEND, LowCardinality.OUTCOME};
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return HighCardinality.values();
        }

        @Override
        public Observation.Event[] getEvents() {
            return HoldEvent.values();
        }
    };

    /** Keys with few values. */
    public enum LowCardinality implements KeyName {

        /** The locker's name. */
        LOCKER("locker"),

        /** The kind of the locker's store. */
        BACKEND("backend"),

        /**
         * {@code acquired}, {@code timeout}, {@code interrupted}, {@code error}; of a hold {@code released},
         * {@code lost}.
         */
        OUTCOME("outcome"),

        /** Whether another holder of this process handed the lock over: {@code true}, {@code false}. */
        HANDOVER("handover");

        private final String text;

        LowCardinality(String text) {
            this.text = text;
        }

        @Override
        public String asString() {
            return text;
        }
    }

    /** Keys with many values. */
    public enum HighCardinality implements KeyName {

        /** The locked key, only with {@code lock.observations.include-key}. */
        KEY("key") {
            @Override
            public boolean isRequired() {
                return false;
            }
        },

        /** The fencing token of a hold. */
        FENCING_TOKEN("fencing.token");

        private final String text;

        HighCardinality(String text) {
            this.text = text;
        }

        @Override
        public String asString() {
            return text;
        }
    }

    /** Events of a hold. */
    public enum HoldEvent implements Observation.Event {

        /** Two thirds of the ttl have passed without a renewal. */
        AT_RISK("at.risk", "at risk"),

        /** The lock was lost. The contextual name has the reason. */
        LOST("lost", "lost");

        private final String text;

        private final String contextual;

        HoldEvent(String text, String contextual) {
            this.text = text;
            this.contextual = contextual;
        }

        @Override
        public String getName() {
            return text;
        }

        @Override
        public String getContextualName() {
            return contextual;
        }
    }
}
