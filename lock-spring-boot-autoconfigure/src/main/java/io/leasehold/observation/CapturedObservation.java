package io.leasehold.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The current observation of a caller, for acquisitions that start on another thread. Without Micrometer on the class
 * path nothing is captured.
 */
public abstract class CapturedObservation {

    /** The key under which Micrometer keeps the current observation in a Reactor context. */
    public static final String CONTEXT_KEY = "micrometer.observation";

    private static final CapturedObservation NONE = new CapturedObservation() {

        @Override
        public <T> T call(Supplier<T> work) {
            return work.get();
        }
    };

    private static final boolean AVAILABLE = isAvailable();

    private CapturedObservation() {}

    /** The current observation of this thread. */
    public static CapturedObservation current() {
        return AVAILABLE ? Captured.capture() : NONE;
    }

    /**
     * An observation from a Reactor context.
     *
     * @param observation the value of {@link #CONTEXT_KEY}, {@code null} for none
     */
    public static CapturedObservation of(@Nullable Object observation) {
        return AVAILABLE && observation != null ? Captured.from(observation) : NONE;
    }

    /** Runs work with the captured observation as the current one. */
    public abstract <T> T call(Supplier<T> work);

    private static boolean isAvailable() {
        try {
            Class.forName("io.micrometer.observation.Observation", false, CapturedObservation.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError ex) {
            return false;
        }
    }

    private static final class Captured extends CapturedObservation {

        /** Every registry of Micrometer keeps the current observation in the same place. */
        private static final ObservationRegistry ANY = ObservationRegistry.create();

        private final Observation observation;

        private Captured(Observation observation) {
            this.observation = observation;
        }

        static CapturedObservation capture() {
            return from(ANY.getCurrentObservation());
        }

        static CapturedObservation from(@Nullable Object observation) {
            return observation instanceof Observation known && !known.isNoop() ? new Captured(known) : NONE;
        }

        @Override
        public <T> T call(Supplier<T> work) {
            Observation.Scope scope = observation.openScope();
            try {
                return work.get();
            } finally {
                scope.close();
            }
        }
    }
}
