package io.leasehold.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The network between processes and servers, with its delays and faults. */
final class SimulatedNetwork {

    private final Simulation simulation;

    private final long latency;

    private final List<SimulatedLink> links = new ArrayList<>();

    private final Map<List<Object>, Long> stalledUntil = new HashMap<>();

    SimulatedNetwork(Simulation simulation, long latency) {
        this.simulation = simulation;
        this.latency = latency;
    }

    SplittableRandom random() {
        return simulation.random();
    }

    void add(SimulatedLink link) {
        links.add(link);
    }

    /** The duration of a message without faults. */
    long delay(SimulatedProcess process, SimulatedServer server) {
        return simulation.about(latency);
    }

    long toServer(SimulatedProcess process, SimulatedServer server) {
        return hindered(process, server) + simulation.about(latency);
    }

    long toClient(SimulatedProcess process, SimulatedServer server) {
        return hindered(server, process) + simulation.about(latency);
    }

    /** The time that a client waits before it reconnects. */
    long reconnectDelay() {
        return simulation.about(latency + 20_000_000);
    }

    boolean refuses(SimulatedProcess process, SimulatedServer server) {
        return server.machine().isPaused() || hindered(process, server) > 0 || hindered(server, process) > 0;
    }

    /** Stalls messages from one to the other for the given time. */
    void stall(Object from, Object to, long nanos) {
        simulation
                .history()
                .add(simulation.now(), "network", "from ", from, " to ", to, " stalls for ", nanos / 1e6, " ms");
        stalledUntil.merge(List.of(from, to), simulation.now() + nanos, Math::max);
    }

    /** Breaks the connections of a process to a server. */
    void breakConnections(SimulatedProcess process, SimulatedServer server, long lateness, long noticedAfter) {
        for (SimulatedLink link : links) {
            if (link.process() == process && link.server() == server) {
                link.breakConnection(lateness, noticedAfter);
            }
        }
    }

    /** Breaks all connections of a server. */
    void breakConnections(SimulatedServer server) {
        links.stream()
                .filter(link -> link.server() == server)
                .forEach(link -> link.breakConnection(0, simulation.about(latency)));
    }

    private long hindered(Object from, Object to) {
        Long until = stalledUntil.isEmpty() ? null : stalledUntil.get(List.of(from, to));
        return until == null ? 0 : Math.max(0, until - simulation.now());
    }
}
