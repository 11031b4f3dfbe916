package io.leasehold.simulation;

import io.leasehold.simulation.SimulatedThread.Role;
import java.util.ArrayList;
import java.util.List;

/** A process on a machine of its own: its clocks and threads, and what stops all of them at once. */
final class SimulatedProcess {

    private static final long RESUMING = 20_000;

    private final Simulation simulation;

    private final String name;

    private final SimulatedClock clock;

    private final SimulatedThread client;

    private final List<Runnable> afterPause = new ArrayList<>();

    private long pausedUntil;

    private boolean dead;

    /** How many readings of the clock lie between two pauses that begin in the middle of a step, on average; 0 for none. */
    private int stepsBetweenPauses;

    private long longestPause;

    private boolean pausing;

    /** How many readings of the clock by callers that ask for a lock are left before one fails; none does below zero. */
    private int readingsUntilFailure = -1;

    private boolean failed;

    SimulatedProcess(Simulation simulation, String name, double speed, long firstNanos) {
        this.simulation = simulation;
        this.name = name;
        this.clock = new SimulatedClock(simulation, speed, firstNanos, this::inTheMiddle);
        this.client = newThread(Role.CLIENT, "client", false);
    }

    Simulation simulation() {
        return simulation;
    }

    SimulatedClock clock() {
        return clock;
    }

    /** The thread on which answers of stores arrive. */
    SimulatedThread client() {
        return client;
    }

    SimulatedThread newThread(Role role, String threadName, boolean mayBlock) {
        return new SimulatedThread(this, role, threadName, mayBlock);
    }

    boolean isDead() {
        return dead;
    }

    boolean isPaused() {
        return simulation.now() < pausedUntil;
    }

    /** Ends the process without warning. */
    void kill() {
        simulation.history().add(simulation.now(), name, "is killed");
        dead = true;
    }

    /** Stops all threads of the process for a while. */
    void pause(long nanos) {
        simulation.history().add(simulation.now(), name, "stands still for ", nanos / 1e6, " ms");
        pausedUntil = Math.max(pausedUntil, simulation.now() + nanos);
        simulation.at(pausedUntil, this::resume);
    }

    /** Stops the machine, and its monotonic clock with it. */
    void suspend(long nanos) {
        if (!clock.isSuspended()) {
            pause(nanos);
            clock.suspend(nanos);
        }
    }

    /** From now on, pauses begin in the middle of steps. */
    void pauseInSteps(int stepsBetween, long longest) {
        stepsBetweenPauses = stepsBetween;
        longestPause = longest;
    }

    /** A reading of the clock fails, as anything may when the stack or the heap is full. */
    void failInSteps(int readings) {
        readingsUntilFailure = readings;
    }

    /** Nothing goes wrong in steps any more. */
    void settleDown() {
        stepsBetweenPauses = 0;
        readingsUntilFailure = -1;
    }

    /** Whether a reading of the clock has failed, so that a caller may not have been counted. */
    boolean hasFailed() {
        return failed;
    }

    /** Runs something as soon as the process is not paused. */
    void afterPause(Runnable action) {
        afterPause.add(action);
    }

    private void resume() {
        if (!isPaused()) {
            List<Runnable> waiting = List.copyOf(afterPause);
            afterPause.clear();
            waiting.forEach(action -> simulation.after(simulation.about(RESUMING), action));
        }
    }

    private void inTheMiddle() {
        SimulatedThread thread = simulation.running();
        if (thread == null || thread.process() != this) {
            return;
        }
        if (readingsUntilFailure >= 0 && thread.isAsking() && readingsUntilFailure-- == 0) {
            simulation.history().add(simulation.now(), thread, "explodes");
            failed = true;
            throw new Exploded();
        }
        pauseInTheMiddle();
    }

    /** Other processes run on, on top of this stack, while this one stands still in the middle of a step. */
    private void pauseInTheMiddle() {
        if (stepsBetweenPauses == 0 || pausing || simulation.random().nextInt(stepsBetweenPauses) != 0) {
            return;
        }
        pausing = true;
        long nanos = 1 + simulation.random().nextLong(longestPause);
        pause(nanos);
        simulation.sleep(nanos);
        pausing = false;
    }

    @Override
    public String toString() {
        return name;
    }
}
