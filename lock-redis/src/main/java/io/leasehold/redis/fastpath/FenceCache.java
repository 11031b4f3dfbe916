package io.leasehold.redis.fastpath;

import io.leasehold.redis.client.RedisKeys;
import io.leasehold.spi.LockId;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A bounded, set-associative cache of the fencing counters of locks that were recently granted to this process. */
final class FenceCache {

    private static final int SETS = 64;

    private static final int WAYS = 4;

    private final AtomicReferenceArray<@Nullable Entry> places = new AtomicReferenceArray<>(SETS * WAYS);

    private final AtomicInteger generation = new AtomicInteger();

    /** The generation of the cache, which changes whenever the cache is cleared. */
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
     * Stores an entry, unless the cache was cleared after the grant was requested. Replaces the entry of the same lock,
     * or else an empty or the oldest place.
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
        // checked after the write, because clear() increments the generation before it writes: the later of the two
        // removes an entry of a former generation
        if (generation.get() != askedIn) {
            places.compareAndSet(chosen, fence, null);
        }
    }

    /** Replaces an entry with another one or {@code null}. Returns whether the entry was still cached. */
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
        // incremented first, see put()
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
     * The cached state of a lock's fencing counter, since a script granted the lock to this process and compared the
     * counter with the server's clock.
     *
     * @param id the lock
     * @param last the last known value of the counter
     * @param clock a reading of the server's clock in microseconds, taken no later than {@code seen}
     * @param seen a reading of this process's monotonic clock in nanoseconds
     * @param reacquired whether the lock was granted to this process again without a script
     * @param free whether this process has released the lock since its last grant, so that the lock may be free
     */
    record Entry(LockId id, long last, long clock, long seen, boolean reacquired, boolean free) {

        /**
         * The maximum difference between the counter and the server's clock. Beyond it, a script is used: it raises a
         * counter that is behind, and keeps a counter that is ahead for longer than it is ahead.
         */
        private static final Duration LARGEST_DIFFERENCE = Duration.ofMillis(50);

        /** Creates an entry after a grant by script whose answer arrived promptly. */
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
