package io.leasehold.redis;

import static org.awaitility.Awaitility.await;

import io.leasehold.Locker;
import io.leasehold.contract.History;
import io.leasehold.contract.LockLoad;
import io.leasehold.testsupport.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Careless users of a few locks, which continue while a master fails and another node replaces it. */
final class FailoverLoad implements AutoCloseable {

    private static final int THREADS = 4;

    private static final int ROUNDS = 10;

    private final LockLoad load;

    private final CompletableFuture<Void> running;

    private volatile boolean ended;

    FailoverLoad(List<Locker> lockers, List<String> keys, Duration ttl) {
        this.load = new LockLoad(lockers, keys, ttl);
        this.running = CompletableFuture.runAsync(this::repeat, task -> new Thread(task, "failover-load").start());
    }

    /** Waits for more grants than the users can hold at the moment. */
    void awaitGrants() {
        int before = load.history().size();
        await().atMost(Duration.ofSeconds(20)).until(() -> load.history().size() > before + THREADS);
    }

    /** Ends the load and returns the history of holds; fails if a user had an unexpected failure. */
    History end() {
        ended = true;
        running.join();
        return load.history();
    }

    @Override
    public void close() {
        ended = true;
        running.exceptionally(failure -> null).join();
    }

    private void repeat() {
        while (!ended) {
            load.run(THREADS, ROUNDS, Seeds.random("LockLoad"));
        }
    }
}
