package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.LockClient;
import io.leasehold.benchmarks.process.Task;
import io.leasehold.benchmarks.process.Workbench;

/**
 * Takes many locks and gives each of them back at once.
 *
 * @param contestant whose locks
 * @param prefix what their keys begin with
 * @param locks how many
 */
public record TouchMany(Contestant contestant, String prefix, int locks) implements Task<Integer> {

    @Override
    public Integer run(Workbench bench) throws Exception {
        LockClient client = bench.client(contestant);
        ManyKeys.each(prefix, locks, key -> client.acquire(key).release());
        return locks;
    }
}
