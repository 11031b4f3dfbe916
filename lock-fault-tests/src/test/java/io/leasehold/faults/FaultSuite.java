package io.leasehold.faults;

import io.leasehold.LockerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Runs cases against a store, in several lanes at the same time. */
final class FaultSuite implements AutoCloseable {

    private final BreakableStore store;

    private final FaultyProcess rival;

    private final FaultyProcess bystander;

    private final List<Lane> lanes = new ArrayList<>();

    private final ExecutorService executor;

    private final Stalls stalls = new Stalls();

    private final Findings findings;

    private final AtomicInteger keys = new AtomicInteger();

    private final Random random;

    FaultSuite(BreakableStore store, int lanes, long seed, Duration slack) {
        this.findings = new Findings(slack, stalls);
        this.store = store;
        this.random = new Random(seed);
        this.rival = FaultyProcess.direct(store);
        this.bystander = FaultyProcess.direct(store);
        this.executor = Executors.newFixedThreadPool(lanes);
        for (int i = 0; i < lanes; i++) {
            this.lanes.add(new Lane(store, rival, bystander));
        }
    }

    /** Runs cases with faults of each process's network. */
    void breakNetworks(int cases) throws InterruptedException, ExecutionException {
        ConcurrentLinkedQueue<FaultCase> queue = new ConcurrentLinkedQueue<>(FaultCase.ofNetwork(store, cases, random));
        List<Future<?>> running = new ArrayList<>();
        for (Lane lane : lanes) {
            running.add(executor.submit(() -> {
                for (FaultCase plan = queue.poll(); plan != null; plan = queue.poll()) {
                    run(plan, lane, new NetworkBreakage(plan, lane.process(), store.ttl()));
                }
                return null;
            }));
        }
        for (Future<?> lane : running) {
            lane.get();
        }
    }

    /** Checks the named promises. */
    void checkPromises() {
        new Promises(store, rival, findings).check();
        new PromisedTimes(store, rival, findings).check();
        new ShutdownPromise(store, rival, findings).check();
    }

    /** Interrupts the given number of acquisitions of one process. */
    void interrupt(int acquisitions) throws InterruptedException {
        new InterruptStorm(store, lanes.get(0), findings).run(acquisitions, random.nextLong());
    }

    /** Runs the given number of rounds with each fault of the servers. */
    void breakServers(int rounds) throws InterruptedException, ExecutionException {
        for (int i = 0; i < rounds; i++) {
            for (ServerFault fault : store.serverFaults().stream().sorted().toList()) {
                breakServers(fault, FaultCase.ofServer(store, fault, lanes.size(), random));
            }
        }
    }

    /** Runs one operation with one fault of all servers repeatedly. */
    void repeat(Repetition repetition) throws InterruptedException, ExecutionException {
        for (int i = 0; i < repetition.rounds(); i++) {
            breakServers(repetition.fault(), FaultCase.repeated(store, repetition, lanes.size(), random));
        }
    }

    /** Returns the findings. Waits until no process has pending work on a lock. */
    Findings findings() {
        for (Lane lane : lanes) {
            LockerStatus[] last = new LockerStatus[1];
            try {
                Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
                    last[0] = lane.process().locker().status();
                    return last[0].held().isEmpty() && last[0].waiting() == 0 && last[0].pendingRemovals() == 0;
                });
            } catch (ConditionTimeoutException ex) {
                findings.violation("something is left of what was done: " + last[0]);
            }
        }
        return findings;
    }

    @Override
    public void close() {
        executor.shutdown();
        lanes.forEach(Lane::close);
        rival.close();
        bystander.close();
        stalls.close();
    }

    private void breakServers(ServerFault fault, List<FaultCase> cases)
            throws InterruptedException, ExecutionException {
        ServerRound round = new ServerRound(store, cases);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < lanes.size(); i++) {
            Lane lane = lanes.get(i);
            FaultCase plan = cases.get(i);
            running.add(executor.submit(() -> {
                try {
                    run(plan, lane, round.seenBy(lane, plan));
                } finally {
                    round.arrive(lane);
                }
                return null;
            }));
        }
        round.run();
        for (Future<?> lane : running) {
            lane.get();
        }
    }

    private void run(FaultCase plan, Lane lane, Breakage breakage) throws InterruptedException {
        try {
            new CaseRun(plan, store, lane, "k" + keys.incrementAndGet(), findings).run(breakage);
        } catch (RuntimeException ex) {
            findings.violation("the case ended with " + ex, plan);
        }
        findings.caseDone();
    }
}
