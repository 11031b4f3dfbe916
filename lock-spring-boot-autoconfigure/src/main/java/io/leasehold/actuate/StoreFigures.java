package io.leasehold.actuate;

import org.jspecify.annotations.Nullable;

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
        @Nullable Long clockOffsetMillis) {}
