package io.leasehold.memory;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * Ends turns on the thread of the release, one after the other. Who is woken may lock and release at once and so wake the
 * next; that one has to wait until the first has returned, or a long line would overflow the stack.
 */
final class Wakeups {

    private final ThreadLocal<Queue<CompletableFuture<Void>>> running = new ThreadLocal<>();

    void wake(CompletableFuture<Void> turn) {
        Queue<CompletableFuture<Void>> later = running.get();
        if (later != null) {
            later.add(turn);
            return;
        }
        Queue<CompletableFuture<Void>> turns = new ArrayDeque<>();
        turns.add(turn);
        running.set(turns);
        try {
            for (CompletableFuture<Void> next = turns.poll(); next != null; next = turns.poll()) {
                next.complete(null);
            }
        } finally {
            running.remove();
        }
    }
}
