package io.leasehold.simulation;

import java.util.ArrayList;
import java.util.List;

/** Creates the store of a plan. */
interface Stores {

    /** The correct models. */
    Stores MODELS = (plan, simulation, network) -> create(plan, simulation, network, false);

    /**
     * Models with voters that count the last second of their age, and so vote up to a second too early after a restart.
     */
    Stores WITH_EARLY_VOTERS = (plan, simulation, network) -> create(plan, simulation, network, true);

    SimulatedStore create(Plan plan, Simulation simulation, SimulatedNetwork network);

    private static SimulatedStore create(
            Plan plan, Simulation simulation, SimulatedNetwork network, boolean votersAreEarly) {
        double speed = plan.serverSpeed();
        return switch (plan.store()) {
            case SCRIPT ->
                new SimulatedRedisStore(new SimulatedRedis(simulation, speed, plan.fenceRetention()), network);
            case TABLE ->
                new SimulatedTableStore(new SimulatedDatabase(simulation, speed), network, plan.connections());
            case QUEUE -> new SimulatedQueueStore(new SimulatedEtcd(simulation, speed), network);
            case QUORUM -> new SimulatedQuorumStore(voters(plan, simulation, votersAreEarly), network, plan.ttl());
        };
    }

    /** Some clocks run at the planned speed, and the others are slower by the amount by which it is faster. */
    private static List<SimulatedNode> voters(Plan plan, Simulation simulation, boolean early) {
        List<SimulatedNode> voters = new ArrayList<>();
        for (int i = 0; i < plan.voters(); i++) {
            double speed = i % 2 == 0 ? plan.serverSpeed() : 2 - plan.serverSpeed();
            voters.add(new SimulatedNode(simulation, "node" + i, speed, early));
        }
        return voters;
    }
}
