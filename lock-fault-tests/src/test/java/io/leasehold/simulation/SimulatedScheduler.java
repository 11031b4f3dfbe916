package io.leasehold.simulation;

import io.leasehold.simulation.SimulatedThread.Role;
import io.leasehold.support.Scheduler;

/**
 * A timer of a process with one thread and the process's clock. It is never early, and occasionally late. A due task
 * may have started on the timer's thread when another thread cancels it; both threads then continue at the same time.
 */
final class SimulatedScheduler implements Scheduler {

    private static final long LATE = 50_000;

    private static final long LATE_ON_A_BUSY_MACHINE = 20_000_000;

    private static final Task NONE = () -> {};

    private final SimulatedProcess process;

    private final SimulatedThread thread;

    private int waiting;

    private boolean closed;

    SimulatedScheduler(SimulatedProcess process, String name) {
        this.process = process;
        this.thread = process.newThread(Role.TIMER, name, false);
    }

    @Override
    public Task schedule(Runnable task, long delayNanos) {
        if (closed) {
            return NONE;
        }
        Timed timed = new Timed(task, process.clock().peek() + Math.max(0, delayNanos));
        waiting++;
        timed.arm();
        return timed;
    }

    /** The number of tasks that have neither run nor been cancelled. */
    int waiting() {
        return closed ? 0 : waiting;
    }

    @Override
    public void close() {
        closed = true;
    }

    private final class Timed implements Task {

        private final Runnable task;

        private final long due;

        private boolean done;

        private Simulation.Event event;

        private Timed(Runnable task, long due) {
            this.task = task;
            this.due = due;
        }

        @Override
        public void cancel() {
            if (!done && !hasBegun()) {
                done = true;
                waiting--;
                event.cancel();
            }
        }

        private boolean hasBegun() {
            return process.clock().peek() - due >= 0
                    && process.simulation().random().nextBoolean();
        }

        private void arm() {
            long left = Math.max(0, due - process.clock().peek());
            Simulation simulation = process.simulation();
            event = simulation.after(process.clock().trueNanos(left) + lateness(simulation), this::fire);
        }

        private static long lateness(Simulation simulation) {
            return simulation.about(simulation.random().nextInt(16) == 0 ? LATE_ON_A_BUSY_MACHINE : LATE);
        }

        private void fire() {
            if (process.clock().peek() - due < 0) {
                arm();
            } else {
                thread.execute(this::run);
            }
        }

        private void run() {
            if (!done && !closed) {
                done = true;
                waiting--;
                task.run();
            }
        }
    }
}
