package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.measure.WaitHistogram;

/** The work under the lock. */
interface Section {

    /** The times between two sections that this caller has seen. */
    WaitHistogram gaps();

    void pass();

    /** An empty section. */
    static Section none() {
        WaitHistogram gaps = new WaitHistogram();
        return new Section() {
            @Override
            public WaitHistogram gaps() {
                return gaps;
            }

            @Override
            public void pass() {}
        };
    }
}
