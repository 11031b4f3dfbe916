package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.process.Task;
import io.leasehold.benchmarks.process.Workbench;
import java.util.stream.IntStream;

/**
 * Makes the keys of many locks, and room to keep these: an application has them anyway.
 *
 * @param locks how many; their keys end with numbers from 0
 */
public record NameMany(int locks) implements Task<Integer> {

    /** What the keys begin with. */
    public static final String PREFIX = "held-";

    @Override
    public Integer run(Workbench bench) {
        bench.prepare(IntStream.range(0, locks).mapToObj(i -> PREFIX + i).toList());
        return locks;
    }
}
