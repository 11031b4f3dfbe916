package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.process.Task;
import io.leasehold.benchmarks.process.Workbench;
import java.util.stream.IntStream;

/**
 * Creates the keys of many locks, and room for the locks, because an application needs both anyway.
 *
 * @param locks the number of locks; their keys end with numbers from 0
 */
public record NameMany(int locks) implements Task<Integer> {

    /** The prefix of the keys. */
    public static final String PREFIX = "held-";

    @Override
    public Integer run(Workbench bench) {
        bench.prepare(IntStream.range(0, locks).mapToObj(i -> PREFIX + i).toList());
        return locks;
    }
}
