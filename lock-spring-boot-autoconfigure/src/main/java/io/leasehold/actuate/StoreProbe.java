package io.leasehold.actuate;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Queries the state of the stores that are in use. */
@FunctionalInterface
public interface StoreProbe {

    /**
     * Queries all stores concurrently and waits a bounded time for their answers.
     *
     * @return the state of each store, by its name; empty if no locker uses a store yet
     */
    Map<String, StoreState> probe();

    /**
     * The state of a store.
     *
     * @param reachable whether it answered in time
     * @param error why it did not, {@code null} if it did
     * @param findings the settings that make its locks less safe, one line each
     * @param figures its latency, the renewal lag and the clock offset
     */
    public record StoreState(boolean reachable, @Nullable String error, List<String> findings, StoreFigures figures) {

        /** Keeps a copy of the list. */
        public StoreState {
            findings = List.copyOf(findings);
        }

        /** A store that answered. */
        public static StoreState reachable(List<String> findings, StoreFigures figures) {
            return new StoreState(true, null, findings, figures);
        }

        /** A store that did not answer. The error says why, and the figures have no latency. */
        public static StoreState unreachable(String error, StoreFigures figures) {
            return new StoreState(false, error, List.of(), figures);
        }

        /**
         * The state of two stores of the same name, or of one that two contexts use: that of a store that did not answer,
         * or else the findings of both and the worse of each figure.
         */
        public StoreState worse(StoreState other) {
            if (!reachable || !other.reachable) {
                return reachable ? other : this;
            }
            List<String> ofBoth = Stream.concat(findings.stream(), other.findings.stream())
                    .distinct()
                    .toList();
            return reachable(ofBoth, figures.worse(other.figures));
        }
    }

    /**
     * Figures about a store. They make no store unhealthy.
     *
     * @param latencyMillis how long the store took to answer this check, {@code null} if it did not answer
     * @param renewalLagMillis how much later than due the last automatic renewals were sent, the largest of all lockers
     *     that use the store; {@code null} before the first renewal
     * @param clockOffsetMillis how far the clock of the store is ahead of the clock of this machine, negative if it is
     *     behind, with an error of up to half the latency; {@code null} if the store cannot tell its time
     */
    public record StoreFigures(
            @Nullable Double latencyMillis,
            @Nullable Double renewalLagMillis,
            @Nullable Long clockOffsetMillis) {

        StoreFigures worse(StoreFigures other) {
            return new StoreFigures(
                    greater(latencyMillis, other.latencyMillis),
                    greater(renewalLagMillis, other.renewalLagMillis),
                    greater(clockOffsetMillis, other.clockOffsetMillis));
        }

        /** The one that is further from zero, {@code null} if both are unknown. */
        private static <T extends Number> @Nullable T greater(@Nullable T one, @Nullable T other) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return Math.abs(one.doubleValue()) >= Math.abs(other.doubleValue()) ? one : other;
        }
    }
}
