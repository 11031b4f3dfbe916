package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Hold;
import io.leasehold.benchmarks.contestant.LockClient;
import io.leasehold.benchmarks.process.Task;
import io.leasehold.benchmarks.process.Workbench;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes many locks and keeps them, all on one thread: Spring Integration's locks of different keys share locks of the JVM,
 * so that threads which hold many of them block each other for ever.
 *
 * @param contestant whose locks
 * @param locks how many; their keys end with numbers from 0
 */
public record HoldMany(Contestant contestant, int locks) implements Task<Integer> {

    /** What the keys begin with. */
    public static final String PREFIX = "held-";

    @Override
    public Integer run(Workbench bench) throws Exception {
        LockClient client = bench.client(contestant);
        List<Hold> held = new ArrayList<>(locks);
        for (int i = 0; i < locks; i++) {
            held.add(client.acquire(PREFIX + i));
        }
        bench.keep(held);
        return locks;
    }
}
