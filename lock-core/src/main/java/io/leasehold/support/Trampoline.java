package io.leasehold.support;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks that may cause each other. A task that is given while another one runs on the same thread runs after it,
 * so that a long chain of them does not use up the stack.
 */
public final class Trampoline {

    private final ThreadLocal<Queue<Runnable>> running = new ThreadLocal<>();

    /** Creates a trampoline. */
    public Trampoline() {}

    /**
     * Runs a task, and those that it causes, on this thread; after the present task if there is one. An exception does
     * not keep the other tasks from running. The first one is thrown when all have run.
     */
    public void run(Runnable task) {
        Queue<Runnable> later = running.get();
        if (later != null) {
            later.add(task);
            return;
        }
        Queue<Runnable> tasks = new ArrayDeque<>();
        tasks.add(task);
        running.set(tasks);
        RuntimeException failed = null;
        Error error = null;
        try {
            for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
                try {
                    next.run();
                } catch (RuntimeException ex) {
                    failed = failed == null ? ex : failed;
                } catch (Error ex) {
                    error = error == null ? ex : error;
                }
            }
        } finally {
            running.remove();
        }
        rethrow(failed, error);
    }

    private static void rethrow(@Nullable RuntimeException failed, @Nullable Error error) {
        if (error != null) {
            throw error;
        }
        if (failed != null) {
            throw failed;
        }
    }
}
