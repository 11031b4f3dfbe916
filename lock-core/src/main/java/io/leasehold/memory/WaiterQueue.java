package io.leasehold.memory;

import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The wake-ups of the waiters for one lock in the order of their arrival. Not thread-safe. */
final class WaiterQueue {

    private Set<CompletableFuture<Void>> wakeups = Collections.emptySet();

    CompletableFuture<Void> join() {
        CompletableFuture<Void> wakeup = new CompletableFuture<>();
        if (wakeups.isEmpty()) {
            wakeups = new LinkedHashSet<>();
        }
        wakeups.add(wakeup);
        return wakeup;
    }

    void leave(CompletableFuture<?> wakeup) {
        wakeups.remove(wakeup);
    }

    @Nullable
    CompletableFuture<Void> poll() {
        Iterator<CompletableFuture<Void>> first = wakeups.iterator();
        while (first.hasNext()) {
            CompletableFuture<Void> wakeup = first.next();
            first.remove();
            if (!wakeup.isDone()) {
                return wakeup;
            }
        }
        return null;
    }

    boolean isEmpty() {
        return wakeups.isEmpty();
    }

    int size() {
        return wakeups.size();
    }
}
