package io.leasehold.benchmarks.contestant;

/** The purpose of a contestant's figures. */
public enum Role {

    /** This library. A violated lock fails the run. */
    OURS,

    /** The store's client without a library. The rates of the others are given as multiples of it. */
    RAW,

    /** Another library. A violated lock is marked in the table. */
    PEER
}
