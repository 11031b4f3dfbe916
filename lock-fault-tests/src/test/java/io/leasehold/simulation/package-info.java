/**
 * A deterministic simulation of several processes, each with a real engine, on one store.
 *
 * <p>{@link io.leasehold.simulation.Simulation} has the true time and runs one event after the other.
 * {@link io.leasehold.simulation.SimulatedProcess} has the clocks and threads of a machine; the seams of the engine
 * ({@code Ticker}, {@code Scheduler}, {@code Parker}, executors, jitter) are made of them. A
 * {@link io.leasehold.simulation.SimulatedLink} brings commands to a model of a store and may do what a network may do: be
 * late, stall, break, deliver old bytes long after. {@link io.leasehold.simulation.Planner} draws from a seed what callers
 * want and what goes wrong, {@link io.leasehold.simulation.HistoryRun} runs it, and
 * {@link io.leasehold.simulation.Oracle} and {@link io.leasehold.simulation.LastLook} say what must not be.
 *
 * <p>One seed is one history. {@code SimulationTests} runs {@code -Dleasehold.histories=} of them, the {@code soak} test as
 * many as fit into {@code -Dleasehold.minutes=}. A history that fails is shrunk and printed with its seed. To replay it
 * alone, in a debugger if need be, give {@code -Dleasehold.seed=}, and {@code -Dleasehold.without=} for what it does not need:
 *
 * <pre>mvn test -pl lock-fault-tests -am -Dsurefire.failIfNoSpecifiedTests=false -Dtest='SimulationTests#noHistoryViolatesAnything' -Dleasehold.seed=42</pre>
 *
 * <p>{@code PlantedFaultTests} weaves faults into the engine, one at a time, which the simulation has to find.
 */
@NullMarked
package io.leasehold.simulation;

import org.jspecify.annotations.NullMarked;
