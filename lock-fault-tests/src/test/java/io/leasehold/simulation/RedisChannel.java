package io.leasehold.simulation;

import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The Pub/Sub channel that wakes the waiters of a process. */
final class RedisChannel {

    private final SimulatedLink link;

    private final Map<Token, Turn> turns = new HashMap<>();

    private LongConsumer revocations = token -> {};

    RedisChannel(SimulatedLink link) {
        this.link = link;
        link.whenever(() -> {}, this::wakeAll);
    }

    CompletableFuture<Void> connect() {
        return link.connect();
    }

    /** Returns a turn that completes when the token is woken, or when a release grants it the lock. */
    Turn await(Token token, Duration provisionalTtl) {
        Turn turn = new Turn(this, new CompletableFuture<>(), provisionalTtl);
        turns.put(token, turn);
        turn.future().whenComplete((grant, failure) -> turns.remove(token, turn));
        return turn;
    }

    boolean isConnected() {
        return link.isConnected();
    }

    /**
     * Publishes from the server. Returns false if the server knows that the process does not listen.
     *
     * @param question the turn of the question after which the lock was granted, {@code null} if it was not
     */
    boolean publish(Token token, @Nullable Turn question, long firstFence) {
        if (!link.isConnected()) {
            return false;
        }
        link.push(() -> {
            Turn turn = turns.get(token);
            if (turn != null) {
                turn.future().complete(turn == question ? new Granted(firstFence, turn.provisionalTtl()) : null);
            }
        });
        return true;
    }

    /** Sets the receiver of hints that leases were revoked. */
    void onHint(LongConsumer listener) {
        revocations = listener;
    }

    /** Publishes from the server that a lease was revoked. */
    void hint(long tokenLow) {
        if (link.isConnected()) {
            link.push(() -> revocations.accept(tokenLow));
        }
    }

    /** Wakes all waiters, because messages may have been missed. */
    private void wakeAll() {
        List.copyOf(turns.values()).forEach(turn -> turn.future().complete(null));
    }

    /** One question of a waiter. */
    record Turn(RedisChannel channel, CompletableFuture<@Nullable Granted> future, Duration provisionalTtl) {}
}
