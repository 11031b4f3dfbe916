package io.leasehold.faults;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A fault of the servers that affects all lanes at the same time. It strikes when all lanes are prepared. */
final class ServerRound {

    private static final long DEADLINE_SECONDS = 40;

    private final Set<Lane> arrived = ConcurrentHashMap.newKeySet();

    private final CountDownLatch prepared;

    private final CompletableFuture<Void> healed = new CompletableFuture<>();

    private final BreakableStore store;

    private final FaultCase plan;

    ServerRound(BreakableStore store, List<FaultCase> cases) {
        this.store = store;
        this.plan = cases.get(0);
        this.prepared = new CountDownLatch(cases.size());
    }

    /** Breaks and repairs the servers. Returns when they work again. */
    void run() throws InterruptedException {
        try {
            if (!prepared.await(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("a lane did not get ready for " + plan);
            }
            ServerFault fault = Objects.requireNonNull(plan.server());
            store.strike(fault, plan.nodes());
            LockSupport.parkNanos(plan.outage().toNanos());
            store.heal(fault, plan.nodes());
        } finally {
            healed.complete(null);
        }
    }

    /** Notes that a lane is prepared, or never will be. */
    void arrive(Lane lane) {
        if (arrived.add(lane)) {
            prepared.countDown();
        }
    }

    /** The view of one lane. */
    Breakage seenBy(Lane lane, FaultCase own) {
        return new Breakage() {

            @Override
            public void begin() {
                if (own.position() == Position.FIRST_USE) {
                    own.nodes()
                            .forEach(node -> lane.process().network().get(node).cut());
                }
                arrive(lane);
                LockSupport.parkNanos(own.seed() & 0xff_ffff);
            }

            @Override
            public void strike() {}

            @Override
            public void outlast(Future<?> operation) {
                healed.join();
            }

            @Override
            public void heal() {
                healed.join();
            }
        };
    }
}
