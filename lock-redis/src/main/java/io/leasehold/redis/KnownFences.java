package io.leasehold.redis;

import io.leasehold.spi.LockId;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The fencing counters of a few locks that were granted here lately; it has no more room than that. */
final class KnownFences {

    private static final int SETS = 64;

    private static final int WAYS = 4;

    private final AtomicReferenceArray<@Nullable KnownFence> places = new AtomicReferenceArray<>(SETS * WAYS);

    private final AtomicInteger era = new AtomicInteger();

    /** Changes whenever all is forgotten. */
    int era() {
        return era.get();
    }

    @Nullable
    KnownFence find(LockId id) {
        int first = firstPlace(id);
        for (int place = first; place < first + WAYS; place++) {
            KnownFence known = places.get(place);
            if (known != null && known.id().equals(id)) {
                return known;
            }
        }
        return null;
    }

    /**
     * Keeps it in place of what is known of the same lock, or else of what was learnt longest ago, if nothing was forgotten
     * since the grant was asked for.
     */
    void learn(KnownFence fence, int askedIn) {
        int first = firstPlace(fence.id());
        int chosen = first;
        long oldest = 0;
        for (int place = first; place < first + WAYS; place++) {
            KnownFence known = places.get(place);
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
        if (era.get() != askedIn) {
            places.compareAndSet(chosen, fence, null);
        }
    }

    /** Replaces what is known by something else or nothing; says whether it was known still. */
    boolean replace(KnownFence known, @Nullable KnownFence next) {
        int first = firstPlace(known.id());
        for (int place = first; place < first + WAYS; place++) {
            if (places.compareAndSet(place, known, next)) {
                return true;
            }
        }
        return false;
    }

    void givenBack(LockId id) {
        KnownFence known = find(id);
        if (known != null) {
            replace(known, known.givenBack());
        }
    }

    void forgetAll() {
        era.incrementAndGet();
        for (int place = 0; place < places.length(); place++) {
            places.set(place, null);
        }
    }

    private static int firstPlace(LockId id) {
        int hash = id.hashCode();
        return ((hash ^ hash >>> 16) & SETS - 1) * WAYS;
    }
}
