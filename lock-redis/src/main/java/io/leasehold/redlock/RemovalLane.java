package io.leasehold.redlock;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Lets no more than {@value #AT_ONCE} removals ask one node at the same time. So a node that is down is asked a few times
 * a second, however much is to be removed from it, and the others notice nothing of it.
 */
final class RemovalLane {

    static final int AT_ONCE = 16;

    private final Queue<Runnable> waiting = new ArrayDeque<>();

    private int underWay;

    private boolean starting;

    /** Runs a question now or when there is room; it has to call {@link #answered} when it has ended. */
    void ask(Runnable question) {
        synchronized (this) {
            waiting.add(question);
        }
        start();
    }

    /** A question has ended, with or without an answer. */
    void answered() {
        synchronized (this) {
            underWay--;
        }
        start();
    }

    /** Questions that end at once start the next ones here, and not deeper and deeper inside each other. */
    private void start() {
        synchronized (this) {
            if (starting) {
                return;
            }
            starting = true;
        }
        for (Runnable next = next(); next != null; next = next()) {
            next.run();
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable next = underWay < AT_ONCE ? waiting.poll() : null;
        starting = next != null;
        underWay += starting ? 1 : 0;
        return next;
    }
}
