package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.load.HeapUse;
import io.leasehold.benchmarks.load.TouchMany;
import io.leasehold.benchmarks.process.OpenClient;
import io.leasehold.benchmarks.process.Worker;
import io.leasehold.benchmarks.store.RedisStore;
import java.time.Duration;

/** A contestant that locks many keys, with a process and a Redis of its own. */
final class KeyUser implements AutoCloseable {

    private static final Duration TTL = Duration.ofSeconds(30);

    private static final int WARM_UP = 5_000;

    private final RedisStore store = new RedisStore();

    private final Worker worker = Worker.start();

    private final Contestant contestant;

    private final int keys;

    private long heapBefore;

    private long memoryBefore;

    private long keysBefore;

    private double seconds;

    private long keysAtOnce;

    private long memoryAtOnce;

    KeyUser(Contestant contestant, int keys) {
        this.contestant = contestant;
        this.keys = keys;
    }

    Contestant contestant() {
        return contestant;
    }

    void lockAll() {
        worker.run(new OpenClient(contestant, store.address(), TTL));
        worker.run(new TouchMany(contestant, "warm-up-", WARM_UP));
        store.clear();
        heapBefore = worker.run(new HeapUse());
        memoryBefore = store.memory();
        keysBefore = store.keys();
        long start = System.nanoTime();
        worker.run(new TouchMany(contestant, "key-", keys));
        seconds = (System.nanoTime() - start) / 1e9;
        keysAtOnce = store.keys() - keysBefore;
        memoryAtOnce = store.memory() - memoryBefore;
    }

    /** Whether the store has as few keys as before, or no keys that expire. */
    boolean forgotten() {
        return store.keys() <= keysBefore || !store.anyExpires();
    }

    KeyFigures figures() {
        return new KeyFigures(
                keys,
                keys / seconds,
                worker.run(new HeapUse()) - heapBefore,
                keysAtOnce,
                memoryAtOnce,
                store.keys() - keysBefore,
                store.memory() - memoryBefore);
    }

    @Override
    public void close() {
        worker.close();
        store.close();
    }
}
