package io.leasehold.memory;

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
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the memory backend keeps: for each lock id that somebody holds or waits for, the lease and the line.
 *
 * <p>Each operation is one atomic step on the entry of its lock id. Waiters are woken after the step, since what hangs
 * on a turn may call back. Every acquisition also looks at a few other entries and removes those that have expired, so
 * that leases which nobody released or wanted again do not pile up.
 */
final class MemoryLeases {

    private static final int SWEPT_PER_ACQUISITION = 3;

    private final Map<LockId, Entry> entries = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;

    private final FenceMint fences;

    private final Wakeups wakeups = new Wakeups();

    private Iterator<LockId> sweep = entries.keySet().iterator();

    MemoryLeases(LongSupplier nanoTime, InstantSource wallClock) {
        this.nanoTime = nanoTime;
        this.fences = new FenceMint(nanoTime, wallClock);
    }

    AcquireAnswer acquire(AcquireCommand command) {
        sweep();
        Step<AcquireAnswer> step = new Step<>();
        entries.compute(command.id(), (id, known) -> {
            Entry entry = known == null ? new Entry() : known;
            acquire(entry, command, step);
            return entry;
        });
        if (step.turn != null) {
            CompletableFuture<Void> turn = step.turn;
            turn.whenComplete((ended, failure) -> leaveLine(command.id(), turn));
        }
        return step.answer();
    }

    RenewAnswer renew(RenewCommand command) {
        Step<RenewAnswer> step = new Step<>();
        entries.computeIfPresent(command.id(), (id, entry) -> {
            long now = nanoTime.getAsLong();
            Lease lease = entry.leaseOf(command.token(), now);
            if (lease != null) {
                entry.lease = lease.atLeastUntil(now + Nanos.of(command.ttl()));
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
                entry.lease = lease.until(now + Nanos.of(command.retainFor()));
                return entry;
            }
            entry.lease = null;
            step.turn = entry.line.poll();
            return entry.isNeeded(now) ? entry : null;
        });
        if (step.turn != null) {
            wakeups.wake(step.turn);
        }
        return step.answer == null ? ReleaseAnswer.NOT_OWNER : step.answer;
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
            entry.lease = new Lease(command.token(), first, now + Nanos.of(command.ttl()));
            step.answer = new Granted(first);
        } else if (lease.token().equals(command.token())) {
            entry.lease = lease.atLeastUntil(now + Nanos.of(command.ttl()));
            step.answer = new Granted(lease.firstFence());
        } else {
            step.turn = command.queueIfBusy() ? entry.line.join() : null;
            step.answer = new Busy(Duration.ofNanos(lease.expiresAt() - now), step.turn, false);
        }
    }

    private void leaveLine(LockId id, CompletableFuture<?> turn) {
        entries.computeIfPresent(id, (same, entry) -> {
            entry.line.leave(turn);
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
        if (!sweep.hasNext()) {
            sweep = entries.keySet().iterator();
        }
        return sweep.hasNext() ? sweep.next() : null;
    }

    /** What is known of one lock id; touched only inside a step on its entry. */
    private static final class Entry {

        @Nullable
        Lease lease;

        final Line line = new Line();

        @Nullable
        Lease leaseOf(Token token, long now) {
            return lease != null && lease.token().equals(token) && !lease.hasExpired(now) ? lease : null;
        }

        boolean isNeeded(long now) {
            return lease != null && !lease.hasExpired(now) || !line.isEmpty();
        }
    }

    /** What a step on an entry hands out. */
    private static final class Step<T> {

        @Nullable
        T answer;

        @Nullable
        CompletableFuture<Void> turn;

        T answer() {
            if (answer == null) {
                throw new IllegalStateException("the step did not run");
            }
            return answer;
        }
    }
}
