package io.leasehold.aop.reactive;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The calls of one reactive transaction that acquire locks at the same time, as those of {@code flatMap} do. A call
 * waits until earlier calls for one of its keys have bound their locks to the transaction, and then joins these locks.
 * Otherwise it would wait for a lock that the transaction keeps until the call has ended. The wait time of a call begins
 * with its turn.
 */
final class TransactionTurns {

    private final Map<Lock, Turn> last = new HashMap<>();

    /** The turn of a new call, after the present ones for the same locks. */
    synchronized Turn next(Object lockSpace, List<String> keys) {
        List<Lock> locks = keys.stream().map(key -> new Lock(lockSpace, key)).toList();
        Turn turn = new Turn();
        CompletableFuture<?>[] earlier = locks.stream()
                .map(lock -> last.put(lock, turn))
                .filter(Objects::nonNull)
                .map(one -> one.ended)
                .toArray(CompletableFuture[]::new);
        turn.earlier = CompletableFuture.allOf(earlier);
        turn.ended.thenRun(() -> forget(locks, turn));
        return turn;
    }

    private synchronized void forget(List<Lock> locks, Turn turn) {
        locks.forEach(lock -> last.remove(lock, turn));
    }

    /** The turn of one call. */
    static final class Turn {

        /** The turn of a call outside of a transaction. */
        static final Turn IMMEDIATE = new Turn();

        private final CompletableFuture<Void> ended = new CompletableFuture<>();

        private CompletableFuture<Void> earlier = CompletableFuture.completedFuture(null);

        Mono<Void> await(Scheduler scheduler) {
            return earlier.isDone()
                    ? Mono.empty()
                    : Mono.fromFuture(earlier, true).publishOn(scheduler);
        }

        /**
         * Lets the next call begin: the locks of this one are bound, or it has none. If this one ends before its turn,
         * the next one begins after the earlier ones.
         */
        void end() {
            earlier.whenComplete((none, failure) -> ended.complete(null));
        }
    }

    private record Lock(Object lockSpace, String key) {}
}
