package io.leasehold.backend.jdbc;

import java.time.Duration;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that nobody uses at the moment. One is trusted to live if it was used within the last second, and no other has
 * failed since.
 *
 * <p>A thread that was the last to use a session gets that one again if it is trusted, and otherwise the one that was used
 * last by anybody: so busy threads stay with a process of the database, and where there is little to do few sessions are
 * in use. Nobody holds a lock meanwhile. One that comes back is offered to those who wait before it is put down.
 */
final class IdleSessions {

    private static final long TRUSTED_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long LOOK_MILLIS = 20;

    private final LongSupplier nanoTime;

    private final AtomicReferenceArray<@Nullable Session> places;

    private final AtomicInteger waiting = new AtomicInteger();

    private final SynchronousQueue<Session> handOver = new SynchronousQueue<>(true);

    private volatile long suspectBefore;

    IdleSessions(int most, LongSupplier nanoTime) {
        this.places = new AtomicReferenceArray<>(most);
        this.nanoTime = nanoTime;
        this.suspectBefore = nanoTime.getAsLong();
    }

    /** One, trusted if there is such; {@code null} if there is none. */
    @Nullable
    Session poll() {
        Session session = pollTrusted();
        while (session == null) {
            int place = placeOfLatest();
            if (place < 0) {
                return null;
            }
            session = takeFrom(place);
        }
        return session;
    }

    /** As {@link #poll}, but waits for a moment if there is none. */
    @Nullable
    Session await() throws InterruptedException {
        waiting.incrementAndGet();
        try {
            Session session = poll();
            return session == null ? handOver.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS) : session;
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** One that is trusted. */
    @Nullable
    Session pollTrusted() {
        int place = ownPlace();
        while (true) {
            Session session = places.get(place);
            if (session != null && isTrusted(session) && places.compareAndSet(place, session, null)) {
                return session;
            }
            place = placeOfLatest();
            session = place < 0 ? null : places.get(place);
            if (place < 0 || session != null && !isTrusted(session)) {
                return null;
            }
        }
    }

    /** Takes one back that was just used, unless there are as many as may be. */
    boolean add(Session session) {
        session.usedAt(nanoTime.getAsLong());
        if (waiting.get() > 0 && handOver.offer(session)) {
            return true;
        }
        int own = ownPlace();
        for (int i = 0; i < places.length(); i++) {
            int place = (own + i) % places.length();
            if (places.compareAndSet(place, null, session)) {
                return true;
            }
        }
        return false;
    }

    boolean isTrusted(Session session) {
        return session.lastUsed() - suspectBefore > 0 && nanoTime.getAsLong() - session.lastUsed() < TRUSTED_NANOS;
    }

    /** Trusts none that was used before this moment. */
    void suspectAll() {
        suspectBefore = nanoTime.getAsLong();
    }

    private int ownPlace() {
        return (int) (Thread.currentThread().getId() % places.length());
    }

    private int placeOfLatest() {
        int latest = -1;
        long lastUsed = 0;
        for (int place = 0; place < places.length(); place++) {
            Session session = places.get(place);
            if (session != null && (latest < 0 || session.lastUsed() - lastUsed > 0)) {
                latest = place;
                lastUsed = session.lastUsed();
            }
        }
        return latest;
    }

    private @Nullable Session takeFrom(int place) {
        return places.getAndSet(place, null);
    }
}
