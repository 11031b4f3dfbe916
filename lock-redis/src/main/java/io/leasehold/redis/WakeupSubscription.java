package io.leasehold.redis;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The callers of this process that wait for a lock in Redis. All of them hear of their turns on one channel, whose
 * messages are their tokens.
 */
final class WakeupSubscription {

    private final byte[] channel;

    private final ConcurrentMap<String, Wakeup> waiting = new ConcurrentHashMap<>();

    WakeupSubscription(String channel) {
        this.channel = channel.getBytes(StandardCharsets.UTF_8);
    }

    byte[] channel() {
        return channel;
    }

    /** A stage that ends when the token's turn comes; an earlier one of the same token is given up. */
    Wakeup await(String token) {
        Wakeup turn = new Wakeup(token);
        waiting.put(token, turn);
        return turn;
    }

    void come(byte[] token) {
        Wakeup turn = waiting.get(new String(token, StandardCharsets.UTF_8));
        if (turn != null) {
            turn.complete(null);
        }
    }

    /** One caller's turn; forgotten as soon as it ends. */
    final class Wakeup extends CompletableFuture<Void> {

        private final String token;

        private Wakeup(String token) {
            this.token = token;
        }

        @Override
        public boolean complete(Void value) {
            waiting.remove(token, this);
            return super.complete(value);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            waiting.remove(token, this);
            return super.cancel(mayInterruptIfRunning);
        }
    }
}
