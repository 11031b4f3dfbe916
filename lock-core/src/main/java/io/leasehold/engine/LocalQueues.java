package io.leasehold.engine;

import io.leasehold.LockState;
import io.leasehold.LossReason;
import io.leasehold.support.SafeLogging;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queues of one locker, by key, and the leases that their holders have. */
final class LocalQueues implements LeaseWatchdog.Watched {

    private static final Logger log = LoggerFactory.getLogger(LocalQueues.class);

    private final LockerState locker;

    private final @Nullable SlowLockLog slowLocks;

    private final ConcurrentMap<String, LocalQueue> queues = new ConcurrentHashMap<>();

    LocalQueues(LockerState locker) {
        this.locker = locker;
        this.slowLocks = SlowLockLog.ifAny(locker);
    }

    LockerState locker() {
        return locker;
    }

    @Nullable
    SlowLockLog slowLocks() {
        return slowLocks;
    }

    Collection<LocalQueue> all() {
        return queues.values();
    }

    /** Adds a queue, unless one exists for its lock. Returns the existing one. */
    @Nullable
    LocalQueue putIfAbsent(LocalQueue fresh) {
        return queues.putIfAbsent(fresh.key(), fresh);
    }

    void remove(LocalQueue queue) {
        queues.remove(queue.key(), queue);
    }

    /** Signals every waiter to run a step. */
    void signalAll() {
        queues.values().forEach(LocalQueue::signalAll);
    }

    @Nullable
    LocalQueue queueOf(String key) {
        return queues.get(key);
    }

    /** The leases that have not ended. */
    List<Lease> held() {
        return queues.values().stream()
                .map(LocalQueue::heldLease)
                .filter(Objects::nonNull)
                .toList();
    }

    void loseAll(LossReason reason) {
        for (LocalQueue queue : queues.values()) {
            try {
                Lease lease = queue.lease();
                if (lease != null) {
                    lease.lose(reason);
                }
            } catch (Throwable ex) {
                // the other locks have to end as well
                SafeLogging.log(() -> log.error(
                        "Lock '{}' of locker '{}' could not be ended. It expires after its ttl",
                        LockState.printable(queue.key()),
                        name(),
                        ex));
            }
        }
    }

    @Override
    public String name() {
        return locker.name();
    }

    /**
     * Sends the renewals that are due and those of the leases that are perhaps revoked, ends the expired leases, and
     * reports what takes too long.
     */
    @Override
    public long look(long now, long wallMillis, Set<Long> revoked) {
        long next = Lease.NEVER;
        List<RenewalBatch> batches = new ArrayList<>(1);
        try {
            for (LocalQueue queue : queues.values()) {
                if (slowLocks != null) {
                    next = Math.min(next, slowLocks.look(queue, now));
                }
                Lease lease = queue.lease();
                if (lease == null) {
                    continue;
                }
                RenewalBatch batch = batchFor(lease, batches);
                next = Math.min(next, lease.look(now, wallMillis, revoked, batch));
                if (batch.isFull()) {
                    batches.remove(batch);
                    batch.send();
                }
            }
        } finally {
            // also after a failure: the leases of a batch count as being renewed
            batches.stream().filter(batch -> !batch.isEmpty()).forEach(RenewalBatch::send);
        }
        return next;
    }

    private RenewalBatch batchFor(Lease lease, List<RenewalBatch> batches) {
        long commandTimeout = lease.terms().commandTimeout();
        for (RenewalBatch batch : batches) {
            if (batch.commandTimeout() == commandTimeout) {
                return batch;
            }
        }
        RenewalBatch batch = new RenewalBatch(locker, commandTimeout);
        batches.add(batch);
        return batch;
    }
}
