package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.LockClient;
import io.leasehold.benchmarks.process.Task;
import io.leasehold.benchmarks.process.Workbench;

/**
 * Acquires many locks and releases each of them immediately.
 *
 * @param contestant the contestant that acquires the locks
 * @param prefix the prefix of the keys
 * @param locks the number of locks
 */
public record TouchMany(Contestant contestant, String prefix, int locks) implements Task<Integer> {

    @Override
    public Integer run(Workbench bench) throws Exception {
        LockClient client = bench.client(contestant);
        ManyKeys.each(prefix, locks, key -> client.acquire(key).release());
        return locks;
    }
}
