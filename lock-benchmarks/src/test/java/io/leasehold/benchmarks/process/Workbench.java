package io.leasehold.benchmarks.process;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Hold;
import io.leasehold.benchmarks.contestant.LockClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a worker process keeps from task to task. */
public final class Workbench {

    private final Map<Contestant, LockClient> clients = new HashMap<>();

    private List<String> keys = List.of();

    private final ArrayList<Hold> held = new ArrayList<>();

    /**
     * Keeps a client for later tasks.
     *
     * @param contestant whose it is
     * @param client connected
     */
    public void put(Contestant contestant, LockClient client) {
        clients.put(contestant, client);
    }

    /**
     * A contestant's client.
     *
     * @param contestant one that {@link OpenClient} has opened
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
     * Makes room for locks, so that what they need of the heap can be told from what the benchmark needs.
     *
     * @param names the keys that will be locked
     */
    public void prepare(List<String> names) {
        keys = names;
        held.ensureCapacity(held.size() + names.size());
    }

    /**
     * The keys that were {@linkplain #prepare prepared}.
     *
     * @return in their order
     */
    public List<String> keys() {
        return keys;
    }

    /**
     * Keeps a lock from being forgotten between tasks.
     *
     * @param hold that stays held
     */
    public void keep(Hold hold) {
        held.add(hold);
    }
}
