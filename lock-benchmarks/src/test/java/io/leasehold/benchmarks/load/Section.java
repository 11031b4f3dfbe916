package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.measure.WaitHistogram;

/** What is done under the lock. */
interface Section {

    /** The time between two sections, as far as this caller has seen. */
    WaitHistogram gaps();

    void pass();

    /** Nothing at all. */
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
