package io.leasehold.simulation;

import io.leasehold.support.DaemonThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Real threads of which exactly one runs at a time: the thread that created this object, and one more for each caller
 * that waited in the middle of a step at the same time. The running thread runs the events. Later histories reuse the
 * threads.
 */
final class Strands implements AutoCloseable {

    private static final ThreadFactory THREADS = DaemonThreads.named("simulated-caller");

    private final Strand first = new Strand(Thread.currentThread());

    private final List<Strand> others = new ArrayList<>();

    /** The running strand. Only that strand writes this field, to hand over to a waiting one. */
    private volatile Strand current = first;

    private @Nullable Simulation simulation;

    private volatile boolean closed;

    Strand current() {
        return current;
    }

    Strand first() {
        return first;
    }

    void use(Simulation next) {
        simulation = next;
    }

    /** Returns an idle strand other than the first. */
    Strand free() {
        for (Strand strand : others) {
            if (!strand.inSession) {
                return strand;
            }
        }
        Strand[] made = new Strand[1];
        Thread thread = THREADS.newThread(() -> run(made[0]));
        made[0] = new Strand(thread);
        others.add(made[0]);
        thread.start();
        return made[0];
    }

    /** Hands over to another strand. Returns when this strand runs again. */
    void switchTo(Strand next) {
        Strand self = current;
        if (next != self) {
            current = next;
            LockSupport.unpark(next.thread);
            awaitTurn(self);
        }
    }

    /** Lets every session run to its end. Sessions end immediately, because their history is over. */
    void unwind() {
        for (Strand strand : others) {
            while (strand.inSession) {
                switchTo(strand);
            }
        }
    }

    /** Ends the threads. */
    @Override
    public void close() {
        closed = true;
        others.forEach(strand -> LockSupport.unpark(strand.thread));
    }

    private void run(Strand self) {
        awaitTurn(self);
        while (!closed) {
            Simulation present = simulation;
            present.runUntilEnd(self);
            if (present == simulation) {
                switchTo(first);
            }
        }
    }

    private void awaitTurn(Strand self) {
        while (current != self && !closed) {
            LockSupport.park(this);
        }
    }

    /** A real thread and the sessions on its stack. */
    static final class Strand {

        private final Thread thread;

        /** The innermost wait. */
        Simulation.@Nullable Wait top;

        /** The session to run when this strand is resumed. */
        @Nullable
        Runnable session;

        boolean inSession;

        private Strand(Thread thread) {
            this.thread = thread;
        }
    }
}
