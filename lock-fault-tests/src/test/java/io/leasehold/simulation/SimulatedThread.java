package io.leasehold.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** A thread of a process. It runs one task after the other, and none while it is blocked or its process is paused. */
final class SimulatedThread {

    /** The purpose of a thread. */
    enum Role {
        /** The engine's or a store's timer. */
        TIMER,
        /** A store's client, which reads incoming messages. */
        CLIENT,
        /** For code of the application. */
        CALLBACK,
        /** A thread of the application. */
        CALLER
    }

    private static final long BETWEEN_TASKS = 2_000;

    private final SimulatedProcess process;

    private final Role role;

    private final String name;

    /** Whether its tasks may block and therefore need a stack of their own. */
    private final boolean mayBlock;

    private final Deque<Runnable> backlog = new ArrayDeque<>();

    private boolean busy;

    private boolean interrupted;

    private boolean asking;

    SimulatedThread(SimulatedProcess process, Role role, String name, boolean mayBlock) {
        this.process = process;
        this.role = role;
        this.name = name;
        this.mayBlock = mayBlock;
    }

    SimulatedProcess process() {
        return process;
    }

    Role role() {
        return role;
    }

    /** Whether the thread can start a task immediately. */
    boolean isFree() {
        return !busy;
    }

    /** Runs a task after the earlier tasks. */
    void execute(Runnable task) {
        backlog.add(task);
        next();
    }

    /** Sets the interrupt flag, which the code sees when it runs. */
    void interrupt() {
        interrupted = true;
    }

    /** Transfers the interrupt to the real thread, whose flag the engine reads. */
    void takeInterrupt() {
        if (interrupted) {
            interrupted = false;
            Thread.currentThread().interrupt();
        }
    }

    /** Runs a call that acquires a lock. */
    <T> T asking(Supplier<T> call) {
        asking = true;
        try {
            return call.get();
        } finally {
            asking = false;
        }
    }

    boolean isAsking() {
        return asking;
    }

    private void next() {
        if (busy || backlog.isEmpty() || process.isDead()) {
            return;
        }
        if (process.isPaused()) {
            process.afterPause(this::next);
            return;
        }
        Runnable task = backlog.remove();
        busy = true;
        if (mayBlock) {
            process.simulation().begin(() -> run(task));
        } else {
            run(task);
        }
    }

    private void run(Runnable task) {
        Simulation simulation = process.simulation();
        try {
            simulation.runAs(this, task);
        } catch (Simulation.Ended ex) {
            throw ex;
        } catch (Throwable ex) {
            uncaught(ex);
        } finally {
            busy = false;
        }
        if (!backlog.isEmpty()) {
            simulation.after(simulation.about(BETWEEN_TASKS), this::next);
        }
    }

    /**
     * The engine catches exceptions of its own tasks, so that no later task is lost. Code of the application may throw.
     */
    private void uncaught(Throwable ex) {
        if (role == Role.TIMER || role == Role.CLIENT) {
            process.simulation().violated(this + " met " + ex + " at " + ex.getStackTrace()[0]);
        }
    }

    @Override
    public String toString() {
        return process + "/" + name;
    }
}
