package io.leasehold.simulation;

import io.leasehold.support.DaemonThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Real threads of which exactly one runs at a time: the one that created this object, and as many more as there were
 * callers at the same time that wait in the middle of something. The one that runs is the one that runs events. They are
 * used again, by later histories too.
 */
final class Strands implements AutoCloseable {

    private static final ThreadFactory THREADS = DaemonThreads.named("simulated-caller");

    private final Strand first = new Strand(Thread.currentThread());

    private final List<Strand> others = new ArrayList<>();

    /** The only one that runs. Written by that one alone, to another one that waits for it. */
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

    /** A strand other than the first that has nothing to do. */
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

    /** Lets another one run; returns when it is this one's turn again. */
    void switchTo(Strand next) {
        Strand self = current;
        if (next != self) {
            current = next;
            LockSupport.unpark(next.thread);
            awaitTurn(self);
        }
    }

    /** Lets every session run to its end, which it does at once: its history is over. */
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

    /** A real thread, and what is on its stack. */
    static final class Strand {

        private final Thread thread;

        /** The innermost wait. */
        Simulation.@Nullable Wait top;

        /** What to run as soon as it is this one's turn. */
        @Nullable
        Runnable session;

        boolean inSession;

        private Strand(Thread thread) {
            this.thread = thread;
        }
    }
}
