package io.leasehold.memory;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The turns of those who wait for one lock, the one that has waited longest first. Not safe for several threads. */
final class Line {

    private final Set<CompletableFuture<Void>> turns = new LinkedHashSet<>();

    CompletableFuture<Void> join() {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        turns.add(turn);
        return turn;
    }

    void leave(CompletableFuture<?> turn) {
        turns.remove(turn);
    }

    @Nullable
    CompletableFuture<Void> poll() {
        Iterator<CompletableFuture<Void>> first = turns.iterator();
        while (first.hasNext()) {
            CompletableFuture<Void> turn = first.next();
            first.remove();
            if (!turn.isDone()) {
                return turn;
            }
        }
        return null;
    }

    boolean isEmpty() {
        return turns.isEmpty();
    }
}
