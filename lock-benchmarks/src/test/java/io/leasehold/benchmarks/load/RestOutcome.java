package io.leasehold.benchmarks.load;

import java.io.Serializable;

/**
 * The usage of the process during a time without calls.
 *
 * @param used CPU and memory of the process
 * @param threads the number of its threads
 */
public record RestOutcome(Usage used, int threads) implements Serializable {}
