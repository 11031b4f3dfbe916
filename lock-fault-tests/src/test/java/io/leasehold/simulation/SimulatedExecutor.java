package io.leasehold.simulation;

import io.leasehold.simulation.SimulatedThread.Role;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;

/** Threads of a process for code of the application. */
final class SimulatedExecutor implements Executor {

    private static final long STARTING = 20_000;

    private final SimulatedProcess process;

    private final List<SimulatedThread> threads = new ArrayList<>();

    private final Deque<Runnable> queue = new ArrayDeque<>();

    SimulatedExecutor(SimulatedProcess process, String name, int size, boolean mayBlock) {
        this.process = process;
        for (int i = 0; i < size; i++) {
            threads.add(process.newThread(Role.CALLBACK, name, mayBlock));
        }
    }

    @Override
    public void execute(Runnable task) {
        queue.add(task);
        dispatchSoon();
    }

    private void dispatchSoon() {
        Simulation simulation = process.simulation();
        simulation.after(simulation.about(STARTING), this::dispatch);
    }

    private void dispatch() {
        if (queue.isEmpty() || process.isDead()) {
            return;
        }
        if (process.isPaused()) {
            process.afterPause(this::dispatch);
            return;
        }
        for (SimulatedThread thread : threads) {
            if (thread.isFree()) {
                Runnable task = queue.remove();
                thread.execute(() -> run(task));
                return;
            }
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } finally {
            if (!queue.isEmpty()) {
                dispatchSoon();
            }
        }
    }
}
