package io.leasehold.benchmarks.process;

import io.leasehold.benchmarks.contestant.Contestant;
import java.time.Duration;

/**
 * Connects a contestant to its store.
 *
 * @param contestant whom
 * @param store where the store is
 * @param ttl how long the store keeps a lock without hearing of its holder
 */
public record OpenClient(Contestant contestant, String store, Duration ttl) implements Task<Boolean> {

    @Override
    public Boolean run(Workbench bench) throws Exception {
        bench.put(contestant, contestant.open(store, ttl));
        return true;
    }
}
