package io.leasehold.memory;

import io.leasehold.ForcedRelease;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.LockState.Kind;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import io.leasehold.support.Trampoline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The data of the memory backend: the lease and the queue of waiters for each lock id that has one of them.
 *
 * <p>Each operation is one atomic step on the entry of its lock id. Waiters are notified after the step, because the
 * dependents of a wake-up may call back. Every acquisition also checks a few other entries and removes the expired
 * ones, so that leases which were neither released nor requested again do not accumulate.
 */
final class MemoryLeases {

    private static final int SWEPT_PER_ACQUISITION = 3;

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 4);

    private final Map<LockId, Entry> entries = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;

    private final FenceCounter fences;

    /** A notified waiter may acquire and release immediately, and so notify the next one. */
    private final Trampoline wakeups = new Trampoline();

    private Iterator<LockId> sweep = entries.keySet().iterator();

    MemoryLeases(LongSupplier nanoTime, InstantSource wallClock) {
        this.nanoTime = nanoTime;
        this.fences = new FenceCounter(nanoTime, wallClock);
    }

    AcquireAnswer acquire(AcquireCommand command) {
        sweep();
        Step<AcquireAnswer> step = new Step<>();
        entries.compute(command.id(), (id, known) -> {
            Entry entry = known == null ? new Entry() : known;
            acquire(entry, command, step);
            return entry;
        });
        if (step.wakeup != null) {
            CompletableFuture<Void> wakeup = step.wakeup;
            wakeup.whenComplete((ended, failure) -> leaveQueue(command.id(), wakeup));
        }
        return step.answer();
    }

    RenewAnswer renew(RenewCommand command) {
        Step<RenewAnswer> step = new Step<>();
        entries.computeIfPresent(command.id(), (id, entry) -> {
            long now = nanoTime.getAsLong();
            Lease lease = entry.leaseOf(command.token(), now);
            if (lease != null && lease.kind() == Kind.REVOKED) {
                step.answer = RenewAnswer.REVOKED;
            } else if (lease != null && lease.kind() == Kind.HOLDER) {
                entry.lease = lease.atLeastUntil(now + nanos(command.ttl()));
                step.answer = RenewAnswer.RENEWED;
            }
            return entry;
        });
        return step.answer == null ? RenewAnswer.NOT_OWNER : step.answer;
    }

    ReleaseAnswer release(ReleaseCommand command) {
        Step<ReleaseAnswer> step = new Step<>();
        entries.computeIfPresent(command.id(), (id, entry) -> {
            long now = nanoTime.getAsLong();
            Lease lease = entry.leaseOf(command.token(), now);
            if (lease == null) {
                return entry;
            }
            step.answer = ReleaseAnswer.RELEASED;
            if (!command.retainFor().isZero()) {
                entry.lease = lease.retainedUntil(now + nanos(command.retainFor()));
                return entry;
            }
            entry.lease = null;
            step.wakeup = entry.queue.poll();
            return entry.isNeeded(now) ? entry : null;
        });
        wakeUp(command.id(), step.wakeup);
        return step.answer == null ? ReleaseAnswer.NOT_OWNER : step.answer;
    }

    LockState describe(LockId id) {
        Step<LockState> step = new Step<>();
        entries.computeIfPresent(id, (same, entry) -> {
            long now = nanoTime.getAsLong();
            Lease lease = entry.lease;
            if (lease != null && !lease.hasExpired(now)) {
                step.answer = lease.describe(now, entry.queue.size());
            }
            return entry;
        });
        return step.answer == null ? new LockState.Free() : step.answer;
    }

    LockListing list(String namespace, int limit) {
        List<LockListing.Entry> found = new ArrayList<>();
        for (LockId id : entries.keySet()) {
            String encoded = id.encoded();
            if (encoded.startsWith(namespace + ":") && describe(id) instanceof LockState.Held held) {
                found.add(new LockListing.Entry(LockId.key(encoded), held));
                if (found.size() > limit) {
                    break;
                }
            }
        }
        return LockListing.of(found, limit);
    }

    ForcedRelease.Outcome revoke(LockId id, long fencingToken) {
        Step<ForcedRelease.Outcome> step = new Step<>();
        entries.computeIfPresent(id, (same, entry) -> {
            long now = nanoTime.getAsLong();
            Lease lease = entry.lease;
            if (lease == null || lease.hasExpired(now)) {
                return entry;
            }
            if (lease.lastFence() != fencingToken) {
                step.answer = ForcedRelease.Outcome.OTHER_HOLDER;
                return entry;
            }
            if (lease.kind() != Kind.RELEASED) {
                step.answer = ForcedRelease.Outcome.REVOKED;
                entry.lease = lease.as(Kind.REVOKED);
                return entry;
            }
            step.answer = ForcedRelease.Outcome.REMOVED;
            entry.lease = null;
            step.wakeup = entry.queue.poll();
            return entry.isNeeded(now) ? entry : null;
        });
        wakeUp(id, step.wakeup);
        return step.answer == null ? ForcedRelease.Outcome.FREE : step.answer;
    }

    int size() {
        return entries.size();
    }

    void clear() {
        entries.clear();
    }

    private void acquire(Entry entry, AcquireCommand command, Step<AcquireAnswer> step) {
        long now = nanoTime.getAsLong();
        Lease lease = entry.lease;
        if (lease == null || lease.hasExpired(now)) {
            long first = fences.reserve(command.fencingTokens());
            entry.lease =
                    new Lease(command.token(), first, command.fencingTokens(), now + nanos(command.ttl()), Kind.HOLDER);
            step.answer = new Granted(first);
        } else if (lease.token().equals(command.token()) && lease.kind() == Kind.HOLDER) {
            entry.lease = lease.atLeastUntil(now + nanos(command.ttl()));
            step.answer = new Granted(lease.firstFence());
        } else {
            step.wakeup = command.queueIfBusy() ? entry.queue.join() : null;
            step.answer = new Busy(Duration.ofNanos(lease.expiresAt() - now), step.wakeup, false);
        }
    }

    private void leaveQueue(LockId id, CompletableFuture<?> wakeup) {
        entries.computeIfPresent(id, (same, entry) -> {
            entry.queue.leave(wakeup);
            return entry.isNeeded(nanoTime.getAsLong()) ? entry : null;
        });
    }

    private void sweep() {
        for (int i = 0; i < SWEPT_PER_ACQUISITION; i++) {
            LockId id = next();
            if (id == null) {
                return;
            }
            entries.computeIfPresent(id, (same, entry) -> entry.isNeeded(nanoTime.getAsLong()) ? entry : null);
        }
    }

    private synchronized @Nullable LockId next() {
        if (!sweep.hasNext() && !entries.isEmpty()) {
            sweep = entries.keySet().iterator();
        }
        return sweep.hasNext() ? sweep.next() : null;
    }

    /** Converts a duration to nanoseconds, limited so that it can be added to a clock without overflow. */
    private static long nanos(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : duration.toNanos();
    }

    /**
     * A granted lease.
     *
     * @param token the token of its holder
     * @param firstFence the first of its fencing tokens
     * @param fences the number of its fencing tokens
     * @param expiresAt the time of expiry on the monotonic clock
     * @param kind whether its holder has it, or it only runs out
     */
    private record Lease(Token token, long firstFence, int fences, long expiresAt, Kind kind) {

        boolean hasExpired(long now) {
            return expiresAt - now <= 0;
        }

        Lease until(long deadline) {
            return new Lease(token, firstFence, fences, deadline, kind);
        }

        /** A repeated release only shortens the remaining time. */
        Lease retainedUntil(long deadline) {
            return kind == Kind.RELEASED && deadline - expiresAt > 0
                    ? this
                    : until(deadline).as(Kind.RELEASED);
        }

        Lease as(Kind other) {
            return new Lease(token, firstFence, fences, expiresAt, other);
        }

        long lastFence() {
            return firstFence + fences - 1;
        }

        LockState.Held describe(long now, int waiting) {
            return new LockState.Held(
                    kind,
                    token.holder(),
                    Instant.EPOCH.plusNanos(firstFence),
                    Duration.ofNanos(expiresAt - now),
                    OptionalLong.of(lastFence()),
                    OptionalInt.of(waiting));
        }

        /**
         * Returns this lease, extended to the deadline if it expires earlier. A renewal that was overtaken does not
         * shorten it.
         */
        Lease atLeastUntil(long deadline) {
            return deadline - expiresAt > 0 ? until(deadline) : this;
        }
    }

    private void wakeUp(LockId id, @Nullable CompletableFuture<Void> wakeup) {
        if (wakeup != null) {
            wakeups.run(() -> {
                if (!wakeup.complete(null)) {
                    // its waiter gave up after it had left the queue
                    wakeUp(id, nextWaiter(id));
                }
            });
        }
    }

    private @Nullable CompletableFuture<Void> nextWaiter(LockId id) {
        Step<Void> step = new Step<>();
        entries.computeIfPresent(id, (same, entry) -> {
            step.wakeup = entry.queue.poll();
            return entry.isNeeded(nanoTime.getAsLong()) ? entry : null;
        });
        return step.wakeup;
    }

    /** The state of one lock id. It is accessed only inside a step on its entry. */
    private static final class Entry {

        @Nullable
        Lease lease;

        final WaiterQueue queue = new WaiterQueue();

        @Nullable
        Lease leaseOf(Token token, long now) {
            return lease != null && lease.token().equals(token) && !lease.hasExpired(now) ? lease : null;
        }

        boolean isNeeded(long now) {
            return lease != null && !lease.hasExpired(now) || !queue.isEmpty();
        }
    }

    /** The result of a step on an entry. */
    private static final class Step<T> {

        @Nullable
        T answer;

        @Nullable
        CompletableFuture<Void> wakeup;

        T answer() {
            if (answer == null) {
                throw new IllegalStateException("the step did not run");
            }
            return answer;
        }
    }
}
