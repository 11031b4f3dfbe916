package io.leasehold.redis.fastpath;

import io.leasehold.redis.client.RedisKeys;
import io.leasehold.spi.LockId;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A bounded, set-associative cache of the fencing counters of locks that were granted here lately. */
final class FenceCache {

    private static final int SETS = 64;

    private static final int WAYS = 4;

    private final AtomicReferenceArray<@Nullable Entry> places = new AtomicReferenceArray<>(SETS * WAYS);

    private final AtomicInteger generation = new AtomicInteger();

    /** Changes whenever the cache is cleared. */
    int generation() {
        return generation.get();
    }

    @Nullable
    Entry find(LockId id) {
        int first = firstPlace(id);
        for (int place = first; place < first + WAYS; place++) {
            Entry known = places.get(place);
            if (known != null && known.id().equals(id)) {
                return known;
            }
        }
        return null;
    }

    /**
     * Keeps an entry in place of that of the same lock, or else of the oldest one, if the cache was not cleared since the
     * grant was asked for.
     */
    void put(Entry fence, int askedIn) {
        int first = firstPlace(fence.id());
        int chosen = first;
        long oldest = 0;
        for (int place = first; place < first + WAYS; place++) {
            Entry known = places.get(place);
            if (known == null || known.id().equals(fence.id())) {
                chosen = place;
                break;
            }
            long age = fence.seen() - known.seen();
            if (age > oldest) {
                oldest = age;
                chosen = place;
            }
        }
        places.set(chosen, fence);
        // Checked after the write, as clear() counts before it writes: an entry of a former generation is removed here
        // or
        // there, whichever comes second.
        if (generation.get() != askedIn) {
            places.compareAndSet(chosen, fence, null);
        }
    }

    /** Replaces an entry by another one or none; returns whether it was there still. */
    boolean replace(Entry known, @Nullable Entry next) {
        int first = firstPlace(known.id());
        for (int place = first; place < first + WAYS; place++) {
            if (places.compareAndSet(place, known, next)) {
                return true;
            }
        }
        return false;
    }

    void released(LockId id) {
        Entry known = find(id);
        if (known != null) {
            replace(known, known.released());
        }
    }

    void clear() {
        // Counted first, see put().
        generation.incrementAndGet();
        for (int place = 0; place < places.length(); place++) {
            places.set(place, null);
        }
    }

    private static int firstPlace(LockId id) {
        int hash = id.hashCode();
        return ((hash ^ hash >>> 16) & SETS - 1) * WAYS;
    }

    /**
     * What is known here of a lock's fencing counter since a script granted the lock here, which compared it with the
     * server's clock.
     *
     * @param id the lock
     * @param last the last known value of the counter
     * @param clock a time of the server in microseconds, not later than at {@code seen}
     * @param seen a time here in nanoseconds of a monotonic clock
     * @param reacquired whether the lock was granted here again since, without a script
     * @param free whether it was released here since its last grant, so that it may be free
     */
    record Entry(LockId id, long last, long clock, long seen, boolean reacquired, boolean free) {

        /**
         * How far the counter may be from the server's clock. A script lets one that is behind catch up, and keeps one that
         * is ahead for longer than it is ahead.
         */
        private static final Duration LARGEST_DIFFERENCE = Duration.ofMillis(50);

        /** After a grant by a script that was asked for within a moment. */
        static Entry granted(LockId id, long last, long clock, long nanoTime) {
            return new Entry(id, last, clock, nanoTime, false, false);
        }

        /** Whether the lock may be granted without a script. */
        boolean canBeRaised(long nanoTime) {
            long since = nanoTime - seen;
            long lag = clock + since / 1_000 - last;
            return free
                    && since < RedisKeys.FENCE_CACHE_LIFETIME.toNanos()
                    && Math.abs(lag) < TimeUnit.NANOSECONDS.toMicros(LARGEST_DIFFERENCE.toNanos());
        }

        Entry raised(int fencingTokens) {
            return new Entry(id, last + fencingTokens, clock, seen, true, false);
        }

        Entry released() {
            return new Entry(id, last, clock, seen, reacquired, true);
        }
    }
}
