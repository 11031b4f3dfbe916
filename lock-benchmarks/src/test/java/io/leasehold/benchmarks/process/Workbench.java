package io.leasehold.benchmarks.process;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Hold;
import io.leasehold.benchmarks.contestant.LockClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The state that a worker process keeps between tasks. */
public final class Workbench {

    private final Map<Contestant, LockClient> clients = new HashMap<>();

    private List<String> keys = List.of();

    private final ArrayList<Hold> held = new ArrayList<>();

    /**
     * Keeps a client for later tasks.
     *
     * @param contestant the contestant of the client
     * @param client a connected client
     */
    public void put(Contestant contestant, LockClient client) {
        clients.put(contestant, client);
    }

    /**
     * Returns a contestant's client.
     *
     * @param contestant a contestant that {@link OpenClient} has opened
     * @return its client
     */
    public LockClient client(Contestant contestant) {
        LockClient client = clients.get(contestant);
        if (client == null) {
            throw new IllegalStateException("'" + contestant.label() + "' was not opened");
        }
        return client;
    }

    /**
     * Reserves room for locks, so that the heap used by locks can be told apart from the heap used by the benchmark.
     *
     * @param names the keys that will be locked
     */
    public void prepare(List<String> names) {
        keys = names;
        held.ensureCapacity(held.size() + names.size());
    }

    /**
     * Returns the {@linkplain #prepare prepared} keys.
     *
     * @return in their order
     */
    public List<String> keys() {
        return keys;
    }

    /**
     * Keeps a lock reachable between tasks.
     *
     * @param hold a lock that stays held
     */
    public void keep(Hold hold) {
        held.add(hold);
    }
}
