/**
 * A deterministic simulation of several processes, each with a real engine, on one store.
 *
 * <p>{@link io.leasehold.simulation.Simulation} has the true time and runs one event after the other.
 * {@link io.leasehold.simulation.SimulatedProcess} has the clocks and threads of a machine. The seams of the engine
 * ({@code Ticker}, {@code Scheduler}, {@code Parker}, executors, jitter) are built on them. A
 * {@link io.leasehold.simulation.SimulatedLink} carries commands to a model of a store. Like a network, it may be late,
 * stall, break, or deliver old bytes much later. {@link io.leasehold.simulation.Planner} draws the callers and the
 * faults from a seed, {@link io.leasehold.simulation.HistoryRun} runs them, and {@link io.leasehold.simulation.Oracle}
 * and {@link io.leasehold.simulation.LastLook} detect violations.
 *
 * <p>One seed is one history. {@code SimulationTests} runs {@code -Dleasehold.histories=} of them. The {@code soak}
 * test runs as many as fit into {@code -Dleasehold.minutes=}. A failing history is shrunk and printed with its seed.
 * {@code -Dleasehold.seed=} replays it alone, and {@code -Dleasehold.without=} removes the elements that it does not
 * need:
 *
 * <pre>mvn test -pl lock-fault-tests -am -Dsurefire.failIfNoSpecifiedTests=false
 * -Dtest='SimulationTests#noHistoryViolatesAnything' -Dleasehold.seed=42</pre>
 *
 * <p>{@code PlantedFaultTests} weaves faults into the engine, one at a time, which the simulation has to find.
 */
@NullMarked
package io.leasehold.simulation;

import org.jspecify.annotations.NullMarked;
