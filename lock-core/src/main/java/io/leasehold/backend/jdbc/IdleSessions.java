package io.leasehold.backend.jdbc;

import java.time.Duration;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that nobody uses at the moment, the one used last in front. One is trusted to live if it was used within the
 * last second, and no other has failed since.
 */
final class IdleSessions {

    private static final long TRUSTED_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long LOOK_MILLIS = 20;

    private final int most;

    private final LongSupplier nanoTime;

    private final BlockingDeque<Session> sessions = new LinkedBlockingDeque<>();

    private volatile long suspectBefore;

    IdleSessions(int most, LongSupplier nanoTime) {
        this.most = most;
        this.nanoTime = nanoTime;
        this.suspectBefore = nanoTime.getAsLong();
    }

    /** The first, trusted or not; {@code null} if there is none. */
    @Nullable
    Session poll() {
        return sessions.pollFirst();
    }

    /** As {@link #poll}, but waits for a moment if there is none. */
    @Nullable
    Session await() throws InterruptedException {
        return sessions.pollFirst(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The first if it is trusted. */
    @Nullable
    Session pollTrusted() {
        Session session = sessions.pollFirst();
        if (session == null || isTrusted(session)) {
            return session;
        }
        sessions.addFirst(session);
        return null;
    }

    /** Puts one in front that was just used, unless there are as many as may be. */
    boolean add(Session session) {
        if (sessions.size() >= most) {
            return false;
        }
        session.usedAt(nanoTime.getAsLong());
        sessions.addFirst(session);
        return true;
    }

    boolean isTrusted(Session session) {
        return session.lastUsed() - suspectBefore > 0 && nanoTime.getAsLong() - session.lastUsed() < TRUSTED_NANOS;
    }

    /** Trusts none that was used before this moment. */
    void suspectAll() {
        suspectBefore = nanoTime.getAsLong();
    }
}
