package io.leasehold.simulation;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.simulation.SimulatedStore.Leftover;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The checks at the end of a history. Every caller has its answer, no engine has pending work, the store keeps only
 * entries that it is allowed to keep, and an old and a new process can acquire every key again.
 */
final class LastLook {

    private static final long LATE_COMMAND = TimeUnit.SECONDS.toNanos(5);

    private static final long LONGEST_KEPT = TimeUnit.SECONDS.toNanos(70);

    private static final Duration WAIT = Duration.ofSeconds(10);

    private final Plan plan;

    private final Simulation simulation;

    private final SimulatedNetwork network;

    private final SimulatedStore store;

    private final Oracle oracle;

    private final List<Node> nodes;

    private final List<Caller> callers;

    LastLook(
            Plan plan,
            Simulation simulation,
            SimulatedNetwork network,
            SimulatedStore store,
            Oracle oracle,
            List<Node> nodes,
            List<Caller> callers) {
        this.plan = plan;
        this.simulation = simulation;
        this.network = network;
        this.store = store;
        this.oracle = oracle;
        this.nodes = nodes;
        this.callers = callers;
    }

    void look() {
        simulation.history().add(simulation.now(), "simulation", "is idle");
        requireAnswers();
        oracle.lookAtEnds();
        requireNothingUnfinished();
        requireNothingForgotten();
        simulation.after(plan.ttl().toNanos() + LONGEST_KEPT, () -> {});
        simulation.runUntilIdle();
        requireEmptyStore();
        nodes.forEach(node -> node.process().settleDown());
        SimulatedProcess fresh = new SimulatedProcess(simulation, "fresh", 1, 0);
        requireKeys(new Node(fresh, store.backend(fresh), plan.ttl(), 0, false, oracle));
        nodes.stream().filter(node -> !node.wasShutDown()).forEach(this::requireKeys);
        requireNothingUnfinished();
        requireEmptyStore();
    }

    private void requireAnswers() {
        for (Caller caller : callers) {
            if (caller.isBusy() && !caller.process().isDead()) {
                simulation.violated(caller + " waits without end");
            }
        }
    }

    private void requireNothingUnfinished() {
        for (Node node : nodes) {
            String left = node.process().isDead() || node.isClosed() ? "" : node.unfinished();
            if (!left.isEmpty()) {
                simulation.violated(node + " is idle and has " + left);
            }
        }
    }

    /**
     * Requires that an engine without pending work has left no entry without a holder, unless the command arrived later
     * than any client waits.
     */
    private void requireNothingForgotten() {
        for (Leftover left : store.leftovers()) {
            boolean excused = left.keptOnPurpose() || oracle.mayKeepItsTime(left) || left.lateness() > LATE_COMMAND;
            for (Node node : nodes) {
                boolean running = !node.process().isDead() && !node.process().hasFailed() && !node.wasShutDown();
                if (node.process() == left.process() && running && !excused) {
                    simulation.violated(node + " is idle and has left in the store: " + left);
                }
            }
        }
    }

    private void requireEmptyStore() {
        List<Leftover> left = store.leftovers();
        if (!left.isEmpty()) {
            simulation.violated("the store keeps " + left);
        }
    }

    private void requireKeys(Node node) {
        for (String key : List.of("a", "b")) {
            if (node.process().isDead()) {
                continue;
            }
            node.newCaller("last", false)
                    .execute(() -> node.locker()
                            .tryLockAsync(LockRequest.of(key).withWaitTime(WAIT))
                            .whenComplete((lock, failure) -> had(node, key, lock, failure)));
        }
        simulation.runUntilIdle();
    }

    private void had(Node node, String key, Optional<LockHandle> lock, Throwable failure) {
        simulation.history().add(simulation.now(), node, "asked a last time for ", key, ": ", lock, failure);
        if (lock == null || lock.isEmpty()) {
            simulation.violated(node + " cannot have '" + key + "' any more: " + failure);
        } else {
            oracle.given(lock.get());
            lock.get().releaseAsync();
        }
    }
}
