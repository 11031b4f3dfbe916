package io.leasehold.simulation;

import io.leasehold.simulation.Plan.FaultPlan;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Injects the faults of a plan. */
final class Faults {

    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private static final long LATEST = TimeUnit.SECONDS.toNanos(4);

    private Faults() {}

    static void strike(
            FaultPlan fault, SimulatedProcess process, SimulatedStore store, SimulatedNetwork network, Plan plan) {
        if (process.isDead()) {
            return;
        }
        List<? extends SimulatedServer> servers = store.servers();
        SimulatedServer server = servers.get((int) (fault.other() % servers.size()));
        switch (fault.kind()) {
            case PAUSE -> process.pause(fault.length());
            case STEP_PAUSES -> process.pauseInSteps(20 + (int) (fault.other() % 200), fault.length() + 1);
            case SUSPEND -> process.suspend(suspension(fault, plan));
            case CLOCK_FORWARD -> process.clock().correct(fault.other() % HOUR);
            case CLOCK_BACK -> process.clock().setBack(fault.other() % HOUR);
            case BREAK ->
                network.breakConnections(
                        process, server, fault.other() % 3 == 0 ? fault.other() % LATEST : 0, fault.length() / 4);
            case STALL_REQUESTS -> network.stall(process, server, fault.length());
            case STALL_REPLIES -> network.stall(server, process, fault.length());
            case STALL -> {
                network.stall(process, server, fault.length());
                network.stall(server, process, fault.length());
            }
            case SERVER_STALL -> server.machine().pause(fault.length());
            case KILL -> process.kill();
            case EXPLODE -> process.failInSteps((int) (fault.other() % 40));
            case FLUSH, ROW_LOCK, RESTART -> store.strike(fault, server);
        }
    }

    /** Longer than the inaccuracy of clocks that the engine allows for (rules.md R3), and shorter than an hour. */
    private static long suspension(FaultPlan fault, Plan plan) {
        long least = Math.max(TimeUnit.SECONDS.toNanos(1), plan.ttl().toNanos() / 10);
        return least + least / 20 + fault.length();
    }
}
