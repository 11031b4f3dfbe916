package io.leasehold.etcd;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Idle leases, grouped by the seconds for which they were granted; the one that was returned last is taken first. */
final class IdleLeases {

    private static final Duration SURELY_ALIVE = Duration.ofMillis(500);

    private final LongSupplier clock;

    private final int most;

    private final Map<Long, Deque<EtcdLease>> leases = new HashMap<>();

    private int size;

    private boolean closed;

    IdleLeases(LongSupplier clock, int most) {
        this.clock = clock;
        this.most = most;
    }

    /** Takes a lease that still runs long enough to be kept alive; {@code null} if there is none. */
    synchronized @Nullable EtcdLease take(long seconds) {
        Deque<EtcdLease> some = leases.get(seconds);
        EtcdLease last = some == null ? null : some.pollFirst();
        if (some == null || last == null) {
            return null;
        }
        size--;
        if (last.remaining(clock.getAsLong()).compareTo(SURELY_ALIVE) > 0) {
            return last;
        }
        // The others were returned earlier and are left to expire as well.
        size -= some.size();
        leases.remove(seconds);
        return null;
    }

    /** Keeps a lease; {@code false} if there are enough, or if the pool is closed. */
    synchronized boolean keep(EtcdLease lease) {
        if (size >= most) {
            forgetExpired();
        }
        if (closed || size >= most) {
            return false;
        }
        leases.computeIfAbsent(lease.seconds(), seconds -> new ArrayDeque<>()).addFirst(lease);
        size++;
        return true;
    }

    /** Returns all leases, and keeps none from now on. */
    synchronized List<EtcdLease> close() {
        closed = true;
        List<EtcdLease> all = new ArrayList<>();
        leases.values().forEach(all::addAll);
        leases.clear();
        size = 0;
        return all;
    }

    private void forgetExpired() {
        long now = clock.getAsLong();
        leases.values()
                .forEach(some -> some.removeIf(lease -> lease.remaining(now).isNegative()));
        leases.values().removeIf(Deque::isEmpty);
        size = leases.values().stream().mapToInt(Deque::size).sum();
    }
}
