package io.leasehold.simulation;

import io.leasehold.simulation.SimulatedThread.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * A process on a machine of its own, with its clocks and threads, and the faults that stop all of them at the same
 * time.
 */
final class SimulatedProcess {

    private static final long RESUMING = 20_000;

    private final Simulation simulation;

    private final String name;

    private final SimulatedClock clock;

    private final SimulatedThread client;

    private final List<Runnable> afterPause = new ArrayList<>();

    private long pausedUntil;

    private boolean dead;

    /** The average number of readings of the clock between two pauses in the middle of a step; 0 for no pauses. */
    private int stepsBetweenPauses;

    private long longestPause;

    private boolean pausing;

    /** The number of readings of the clock by acquiring callers until one reading fails; negative for no failure. */
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

    /** Kills the process. */
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

    /** Suspends the machine and its monotonic clock. */
    void suspend(long nanos) {
        if (!clock.isSuspended()) {
            pause(nanos);
            clock.suspend(nanos);
        }
    }

    /** Enables pauses in the middle of steps. */
    void pauseInSteps(int stepsBetween, long longest) {
        stepsBetweenPauses = stepsBetween;
        longestPause = longest;
    }

    /** Makes a reading of the clock fail, as any call may with a full stack or a full heap. */
    void failInSteps(int readings) {
        readingsUntilFailure = readings;
    }

    /** Disables pauses and failures in steps. */
    void settleDown() {
        stepsBetweenPauses = 0;
        readingsUntilFailure = -1;
    }

    /** Whether a reading of the clock has failed, so that a caller may be missing in the counts. */
    boolean hasFailed() {
        return failed;
    }

    /** Runs an action as soon as the process is not paused. */
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

    /** Pauses this process in the middle of a step. Other processes continue on top of this stack. */
    private void pauseInTheMiddle() {
        if (stepsBetweenPauses == 0 || pausing || simulation.random().nextInt(stepsBetweenPauses) != 0) {
            return;
        }
        pausing = true;
        pause(1 + simulation.random().nextLong(longestPause));
        // a longer pause or a suspension may begin meanwhile
        while (isPaused()) {
            simulation.sleep(pausedUntil - simulation.now());
        }
        pausing = false;
    }

    @Override
    public String toString() {
        return name;
    }
}
