package io.leasehold.testsupport;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A queue of a thread pool that lets tasks arrive while an idle thread ends. The thread checks twice whether the queue is
 * empty: before it decides to end, and when the pool no longer counts it. The action of a check runs after the queue has
 * been read, and before the thread uses the result.
 */
public final class EndOfThreadQueue extends LinkedBlockingQueue<Runnable> {

    private static final long serialVersionUID = 1L;

    private final transient Queue<Runnable> actions = new ConcurrentLinkedQueue<>();

    /** Adds the action of the next check that has none. */
    public void onNextCheck(Runnable action) {
        actions.add(action);
    }

    @Override
    public boolean isEmpty() {
        boolean empty = super.isEmpty();
        Runnable action = actions.poll();
        if (action != null) {
            action.run();
        }
        return empty;
    }
}
