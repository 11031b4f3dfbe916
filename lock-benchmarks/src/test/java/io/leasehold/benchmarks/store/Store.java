package io.leasehold.benchmarks.store;

import java.time.Duration;

/** A server that stores the locks. */
public interface Store extends AutoCloseable {

    /** The address for contestants: a URL that their clients accept. */
    String address();

    /** The time that is added to each round trip, compared with the loopback interface. */
    default Duration roundTrip() {
        return Duration.ZERO;
    }

    /** The work since the server started, as far as it is counted. */
    StoreWork work();

    /** The kind of the server and its version. */
    String version();

    /**
     * Runs a load and distinguishes commands that clients sent from commands inside scripts.
     *
     * @param load the load to run
     * @return the share of all commands that clients sent; not a number if the two counts do not agree
     */
    default double shareSentDuring(Runnable load) {
        load.run();
        return 1;
    }

    /** Stops the server. */
    @Override
    void close();
}
