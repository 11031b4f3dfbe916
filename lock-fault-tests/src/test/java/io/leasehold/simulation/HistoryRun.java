package io.leasehold.simulation;

import io.leasehold.simulation.Plan.Callback;
import io.leasehold.simulation.Plan.CallerPlan;
import io.leasehold.simulation.Plan.FaultPlan;
import io.leasehold.simulation.Plan.ProcessPlan;
import io.leasehold.simulation.Plan.RevocationPlan;
import io.leasehold.simulation.Plan.ShutdownPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs one plan from its beginning to {@link LastLook}. */
final class HistoryRun {

    private final Plan plan;

    private final Simulation simulation;

    private final SimulatedNetwork network;

    private final SimulatedStore store;

    private final Oracle oracle;

    private final List<Node> nodes = new ArrayList<>();

    private final List<Caller> callers = new ArrayList<>();

    private HistoryRun(Plan plan, Stores stores, Strands strands, History history) {
        this.plan = plan;
        this.simulation = new Simulation(plan.seed(), strands, history);
        this.network = new SimulatedNetwork(simulation, plan.latency());
        this.store = stores.create(plan, simulation, network);
        this.oracle = new Oracle(simulation, store, plan.calm());
        store.servers().forEach(server -> server.whenRemoved(oracle::removedFromStore));
        store.servers().forEach(server -> server.whenRevoked(oracle::revokedInStore));
    }

    /** Runs a plan. Returns the finding of an oracle, {@code null} if there is none. */
    static @Nullable String run(Plan plan, Stores stores, Strands strands, History history) {
        HistoryRun run = new HistoryRun(plan, stores, strands, history);
        try {
            run.run();
        } finally {
            run.simulation.end();
        }
        return run.simulation.violation();
    }

    private void run() {
        simulation.afterEach(oracle::look);
        boolean blocks = plan.callers().stream().anyMatch(caller -> caller.callback() == Callback.BLOCKS);
        for (int i = 0; i < plan.processes().size(); i++) {
            ProcessPlan machine = plan.processes().get(i);
            SimulatedProcess process = new SimulatedProcess(simulation, "p" + i, machine.speed(), machine.firstNanos());
            nodes.add(
                    new Node(process, store.backend(process), plan.ttl(), machine.maxLocalHandoffs(), blocks, oracle));
        }
        for (CallerPlan caller : plan.callers()) {
            Caller one = Caller.of(nodes.get(caller.process()), caller);
            callers.add(one);
            simulation.at(caller.at(), one::start);
        }
        for (ShutdownPlan shutdown : plan.shutdowns()) {
            simulation.at(shutdown.at(), () -> shutDown(shutdown));
        }
        for (RevocationPlan revocation : plan.revocations()) {
            Operator operator = new Operator(nodes.get(revocation.process()), revocation);
            simulation.at(revocation.at(), operator::start);
        }
        for (FaultPlan fault : plan.faults()) {
            SimulatedProcess process = nodes.get(fault.process()).process();
            simulation.at(fault.at(), () -> Faults.strike(fault, process, store, network, plan));
        }
        simulation.runUntilIdle();
        new LastLook(plan, simulation, network, store, oracle, nodes, callers).look();
    }

    private void shutDown(ShutdownPlan shutdown) {
        Node node = nodes.get(shutdown.process());
        SimulatedThread thread = node.newCaller(shutdown.name(), true);
        thread.execute(() -> {
            simulation.history().add(simulation.now(), thread, "begins");
            if (shutdown.close()) {
                node.close();
            } else {
                node.shutdown(Duration.ofNanos(shutdown.grace()));
            }
            simulation.history().add(simulation.now(), thread, "has ended");
            oracle.afterShutdown(node);
            if (shutdown.close()) {
                node.closeBackend();
            } else {
                simulation.after(shutdown.resumeAfter(), () -> thread.execute(node::resume));
            }
        });
    }
}
