package io.leasehold.benchmarks.store;

/**
 * What a store has done.
 *
 * @param commands how many commands, those inside of scripts included; no number if it is not counted
 * @param cpuSeconds how long its processors were busy with it; no number if that is not known
 * @param roundTrips how many answers ended a wait for an answer, over all connections; no number if it is not counted
 */
public record StoreWork(double commands, double cpuSeconds, double roundTrips) {

    /**
     * What was done after an earlier moment.
     *
     * @param earlier what had been done then
     * @return the difference
     */
    public StoreWork since(StoreWork earlier) {
        return new StoreWork(
                commands - earlier.commands, cpuSeconds - earlier.cpuSeconds, roundTrips - earlier.roundTrips);
    }
}
