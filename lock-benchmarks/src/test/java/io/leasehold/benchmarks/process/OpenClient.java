package io.leasehold.benchmarks.process;

import io.leasehold.benchmarks.contestant.Contestant;
import java.time.Duration;

/**
 * Connects a contestant to its store.
 *
 * @param contestant the contestant to connect
 * @param store the address of the store
 * @param ttl how long the store keeps a lock that its holder does not renew
 */
public record OpenClient(Contestant contestant, String store, Duration ttl) implements Task<Boolean> {

    @Override
    public Boolean run(Workbench bench) throws Exception {
        bench.put(contestant, contestant.open(store, ttl));
        return true;
    }
}
