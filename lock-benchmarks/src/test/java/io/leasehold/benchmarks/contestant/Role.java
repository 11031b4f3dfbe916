package io.leasehold.benchmarks.contestant;

/** What the figures of a contestant are for. */
public enum Role {

    /** This library. A violated lock fails the run. */
    OURS,

    /** The store's client without a library; the others are multiples of it. */
    RAW,

    /** Another library. A violated lock is marked in the table. */
    PEER
}
