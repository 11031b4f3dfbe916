package io.leasehold.redis.client;

import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.support.RevocationListeners;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The callers of this process that wait for a lock in Redis. One channel notifies all of them; its messages are the
 * tokens of the notified callers. A message may also bring a grant, whose age it does not tell. Validity counts from the
 * question that Redis had executed last before the grant (rules.md R1). Questions are therefore numbered, and a message
 * with the number of an earlier question is only a notification.
 *
 * <p>A second channel, on the same connection, is that of all processes. Its messages are hints of revocations.
 */
public final class WakeupSubscription {

    private static final byte[] REVOCATIONS = "lock-turns:revoked".getBytes(StandardCharsets.US_ASCII);

    private final byte[] channel;

    private final RevocationListeners revocations;

    private final ConcurrentMap<String, Wakeup> waiting = new ConcurrentHashMap<>();

    private final AtomicLong questions = new AtomicLong();

    /** Creates a subscription to the channel of this process, without waiting callers. */
    public WakeupSubscription(String channel, RevocationListeners revocations) {
        this.channel = channel.getBytes(StandardCharsets.UTF_8);
        this.revocations = revocations;
    }

    /** Returns the channel of this process. */
    public byte[] channel() {
        return channel;
    }

    /** Returns the channel of all processes, for hints of revocations. */
    public static byte[] revocations() {
        return REVOCATIONS.clone();
    }

    /** Receives a message of one of the two channels. */
    public void received(byte[] channel, byte[] message) {
        if (Arrays.equals(channel, REVOCATIONS)) {
            revocations.hint(new String(message, StandardCharsets.UTF_8));
        } else {
            wakeUp(message);
        }
    }

    /**
     * Returns a future that completes when the token is notified. It replaces an earlier future of the same token,
     * which never completes. The caller must send its question afterwards.
     *
     * @param provisionalTtl the ttl of the lease if a release grants it
     */
    public Wakeup await(String token, Duration provisionalTtl) {
        Wakeup wakeup = new Wakeup(token, provisionalTtl);
        waiting.put(token, wakeup);
        return wakeup;
    }

    /**
     * Completes the future of a token.
     *
     * @param message the token; if a release granted the lock, followed by the number of the question and the first
     *     fencing token
     */
    private void wakeUp(byte[] message) {
        String[] parts = new String(message, StandardCharsets.UTF_8).split(" ");
        Wakeup wakeup = waiting.get(parts[0]);
        if (wakeup != null) {
            wakeup.complete(
                    parts.length == 3 && Long.parseLong(parts[1]) == wakeup.question
                            ? new Granted(Long.parseLong(parts[2]), wakeup.provisionalTtl)
                            : null);
        }
    }

    /** One caller's wake-up. It is removed when it completes or is cancelled. */
    public final class Wakeup extends CompletableFuture<@Nullable Granted> {

        private final String token;

        private final Duration provisionalTtl;

        private final long question = questions.incrementAndGet();

        private Wakeup(String token, Duration provisionalTtl) {
            this.token = token;
            this.provisionalTtl = provisionalTtl;
        }

        /** The number of the question that the caller sends. */
        public long question() {
            return question;
        }

        @Override
        public boolean complete(@Nullable Granted value) {
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
