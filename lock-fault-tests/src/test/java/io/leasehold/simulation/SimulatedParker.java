package io.leasehold.simulation;

import io.leasehold.simulation.Simulation.Wait;
import io.leasehold.support.Parker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Parks the callers of a process in virtual time. */
final class SimulatedParker implements Parker {

    private static final long WAKING = 10_000;

    private final SimulatedProcess process;

    private final List<Parked> parked = new ArrayList<>();

    private final Set<Thread> permits = new HashSet<>();

    SimulatedParker(SimulatedProcess process) {
        this.process = process;
    }

    @Override
    public void park(Object blocker, long nanos) {
        Simulation simulation = process.simulation();
        SimulatedThread caller = simulation.running();
        if (caller != null) {
            caller.takeInterrupt();
        }
        if (permits.remove(Thread.currentThread()) || Thread.currentThread().isInterrupted() || nanos <= 0) {
            return;
        }
        Parked one = new Parked(simulation.newWait(), Thread.currentThread(), caller);
        parked.add(one);
        Simulation.Event timeout =
                simulation.after(process.clock().trueNanos(nanos) + simulation.about(WAKING), () -> wake(one));
        simulation.await(one.waited);
        timeout.cancel();
        parked.remove(one);
        if (caller != null) {
            caller.takeInterrupt();
        }
    }

    /** Wakes all callers on the stack of a real thread, possibly several. Each of them checks its own condition. */
    @Override
    public void unpark(Thread thread) {
        permits.add(thread);
        wakeSoon(one -> one.thread == thread);
    }

    /** Interrupts a caller, which notices at the latest when it parks. */
    void interrupt(SimulatedThread caller) {
        caller.interrupt();
        wakeSoon(one -> one.caller == caller);
    }

    private void wakeSoon(java.util.function.Predicate<Parked> which) {
        Simulation simulation = process.simulation();
        for (Parked one : parked) {
            if (which.test(one)) {
                simulation.after(simulation.about(WAKING), () -> wake(one));
            }
        }
    }

    private void wake(Parked one) {
        if (process.isDead()) {
            return;
        }
        if (process.isPaused()) {
            process.afterPause(() -> wake(one));
        } else {
            process.simulation().end(one.waited);
        }
    }

    private record Parked(Wait waited, Thread thread, SimulatedThread caller) {}
}
