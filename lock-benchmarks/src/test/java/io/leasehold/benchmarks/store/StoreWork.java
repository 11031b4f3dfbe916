package io.leasehold.benchmarks.store;

/**
 * The work of a store.
 *
 * @param commands number of commands, including those inside scripts; not a number if the store does not count them
 * @param cpuSeconds processor time of the store in seconds; not a number if unknown
 * @param roundTrips number of answers that ended a wait for an answer, over all connections; not a number if not
 *     counted
 */
public record StoreWork(double commands, double cpuSeconds, double roundTrips) {

    /**
     * Returns the work since an earlier moment.
     *
     * @param earlier the work up to that moment
     * @return the difference
     */
    public StoreWork since(StoreWork earlier) {
        return new StoreWork(
                commands - earlier.commands, cpuSeconds - earlier.cpuSeconds, roundTrips - earlier.roundTrips);
    }
}
