package io.leasehold.benchmarks.store;

import java.time.Duration;

/** A server that locks are in. */
public interface Store extends AutoCloseable {

    /** Where contestants find it: a URL that their clients understand. */
    String address();

    /** How much longer a request and its answer take than on the loopback interface. */
    default Duration roundTrip() {
        return Duration.ZERO;
    }

    /** What it has done since it started, as far as it counts that. */
    StoreWork work();

    /** Which server it is, with its version. */
    String version();

    /**
     * Lets something run, and tells commands that clients sent from those that scripts made of them.
     *
     * @param load what to run
     * @return which part of all commands clients sent; no number if two ways of counting do not agree
     */
    default double shareSentDuring(Runnable load) {
        load.run();
        return 1;
    }

    /** Ends the server. */
    @Override
    void close();
}
