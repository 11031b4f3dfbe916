package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.LockClient;
import io.leasehold.benchmarks.process.Task;
import io.leasehold.benchmarks.process.Workbench;

/**
 * Acquires the locks that {@link NameMany} has named and keeps them, all on one thread. Spring Integration's locks of
 * different keys share locks of the JVM, so several threads that hold many of them would block each other forever.
 *
 * @param contestant the contestant that holds the locks
 */
public record HoldMany(Contestant contestant) implements Task<Integer> {

    @Override
    public Integer run(Workbench bench) throws Exception {
        LockClient client = bench.client(contestant);
        for (String key : bench.keys()) {
            bench.keep(client.acquire(key));
        }
        return bench.keys().size();
    }
}
