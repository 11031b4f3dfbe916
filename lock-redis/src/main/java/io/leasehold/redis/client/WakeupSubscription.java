package io.leasehold.redis.client;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The callers of this process that wait for a lock in Redis. One channel notifies all of them; its messages are the
 * tokens of the notified callers.
 */
public final class WakeupSubscription {

    private final byte[] channel;

    private final ConcurrentMap<String, Wakeup> waiting = new ConcurrentHashMap<>();

    public WakeupSubscription(String channel) {
        this.channel = channel.getBytes(StandardCharsets.UTF_8);
    }

    public byte[] channel() {
        return channel;
    }

    /**
     * Returns a future that completes when the token is notified. It replaces an earlier future of the same token,
     * which never completes.
     */
    public Wakeup await(String token) {
        Wakeup wakeup = new Wakeup(token);
        waiting.put(token, wakeup);
        return wakeup;
    }

    public void wakeUp(byte[] token) {
        Wakeup wakeup = waiting.get(new String(token, StandardCharsets.UTF_8));
        if (wakeup != null) {
            wakeup.complete(null);
        }
    }

    /** One caller's wake-up. It is removed when it completes or is cancelled. */
    public final class Wakeup extends CompletableFuture<Void> {

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
