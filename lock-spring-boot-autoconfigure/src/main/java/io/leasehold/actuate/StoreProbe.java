package io.leasehold.actuate;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks the stores that are in use how they are. */
@FunctionalInterface
public interface StoreProbe {

    /**
     * Asks all stores at once and waits a bounded time for their answers.
     *
     * @return the state of each store, by its name; empty if no locker locks anywhere yet
     */
    Map<String, StoreState> probe();

    /**
     * How a store is.
     *
     * @param reachable whether it answered in time
     * @param error why it did not, {@code null} if it did
     * @param findings what makes its locks less safe than they could be, one line each
     */
    public record StoreState(boolean reachable, @Nullable String error, List<String> findings) {

        /** Keeps a copy of the list. */
        public StoreState {
            findings = List.copyOf(findings);
        }

        /**
         * A store that answered.
         *
         * @param findings what it was found to be
         * @return its state
         */
        public static StoreState reachable(List<String> findings) {
            return new StoreState(true, null, findings);
        }

        /**
         * A store that did not answer.
         *
         * @param error why
         * @return its state
         */
        public static StoreState unreachable(String error) {
            return new StoreState(false, error, List.of());
        }
    }
}
