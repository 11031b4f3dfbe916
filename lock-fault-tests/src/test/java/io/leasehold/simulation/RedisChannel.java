package io.leasehold.simulation;

import io.leasehold.spi.Token;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The Pub/Sub channel that wakes the waiters of a process. */
final class RedisChannel {

    private final SimulatedLink link;

    private final Map<Token, CompletableFuture<Void>> turns = new HashMap<>();

    RedisChannel(SimulatedLink link) {
        this.link = link;
        link.whenever(() -> {}, this::wakeAll);
    }

    CompletableFuture<Void> connect() {
        return link.connect();
    }

    /** Returns a future that completes when the token is woken. */
    CompletableFuture<Void> await(Token token) {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        turns.put(token, turn);
        turn.whenComplete((nothing, failure) -> turns.remove(token, turn));
        return turn;
    }

    /** Publishes from the server. Returns false if the server knows that the process does not listen. */
    boolean publish(Token token) {
        if (!link.isConnected()) {
            return false;
        }
        link.push(() -> {
            CompletableFuture<Void> turn = turns.get(token);
            if (turn != null) {
                turn.complete(null);
            }
        });
        return true;
    }

    /** Wakes all waiters, because messages may have been missed. */
    private void wakeAll() {
        List.copyOf(turns.values()).forEach(turn -> turn.complete(null));
    }
}
