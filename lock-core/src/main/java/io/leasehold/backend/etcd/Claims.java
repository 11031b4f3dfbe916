package io.leasehold.backend.etcd;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys that this backend has in etcd. Only a shortcut: what is not here is looked up in etcd. What nobody released is
 * forgotten some time after its lease has expired.
 *
 * <p>Who takes a claim out, or replaces it, is the only one to decide what becomes of its lease; so no lease is given back
 * twice.
 */
final class Claims {

    private static final int SWEEP_EVERY = 4_096;

    private final Map<ByteString, Claim> claims = new ConcurrentHashMap<>();

    private final AtomicInteger puts = new AtomicInteger();

    private final LongSupplier clock;

    Claims(LongSupplier clock) {
        this.clock = clock;
    }

    @Nullable
    Claim get(LineKey place) {
        return claims.get(place.own());
    }

    void put(Claim claim) {
        claims.put(claim.place().own(), claim);
        sweep();
    }

    /** Adds a claim unless there is one for the key. */
    boolean add(Claim claim) {
        return claims.putIfAbsent(claim.place().own(), claim) == null;
    }

    boolean replace(Claim claim, Claim other) {
        return claims.replace(claim.place().own(), claim, other);
    }

    private void sweep() {
        if (puts.incrementAndGet() % SWEEP_EVERY == 0) {
            long now = clock.getAsLong();
            claims.values().removeIf(old -> old.lease().remaining(now).isNegative());
        }
    }

    @Nullable
    Claim remove(LineKey place) {
        return claims.remove(place.own());
    }

    boolean remove(Claim claim) {
        return claims.remove(claim.place().own(), claim);
    }

    /** Takes out the claims of those who wait. */
    List<Claim> takeWaiting() {
        return claims.values().stream()
                .filter(claim -> !claim.granted() && remove(claim))
                .toList();
    }

    int size() {
        return claims.size();
    }
}
