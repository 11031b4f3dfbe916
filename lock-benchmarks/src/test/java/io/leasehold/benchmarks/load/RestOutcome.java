package io.leasehold.benchmarks.load;

import java.io.Serializable;

/**
 * What went on while nobody asked for anything.
 *
 * @param used CPU and memory of the process
 * @param threads how many threads it has
 */
public record RestOutcome(Usage used, int threads) implements Serializable {}
