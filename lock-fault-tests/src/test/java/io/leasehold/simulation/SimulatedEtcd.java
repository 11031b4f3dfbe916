package io.leasehold.simulation;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.simulation.SimulatedStore.Leftover;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An etcd with a queue of keys for each lock, in the order of their revisions. Each key is attached to a lease. The
 * server checks for expired leases twice a second and notifies the watch of the next key.
 */
final class SimulatedEtcd extends SimulatedServer {

    private static final int FENCE_BITS = 16;

    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long WAITERS_SECONDS = 3;

    private static final Duration RECHECK = Duration.ofMillis(1_500);

    private final Map<Long, Entry> entries = new TreeMap<>();

    private long revision;

    SimulatedEtcd(Simulation simulation, double speed) {
        super(simulation, "etcd", speed);
    }

    AcquireAnswer acquire(AcquireCommand command, @Nullable EtcdWatch watch, SimulatedProcess process, long sentAt) {
        Entry own = find(command.id(), command.token());
        Entry first = first(command.id());
        if (own == null && first != null && !command.queueIfBusy()) {
            return new Busy(remaining(first));
        }
        if (own == null) {
            own = new Entry(command.id(), command.token(), process, ++revision, lateness(sentAt));
            entries.put(own.revision, own);
            first = first == null ? own : first;
        }
        if (own == first && !own.isHeldBy(command.token())) {
            return new Busy(remaining(own));
        }
        if (own == first) {
            own.granted = true;
            keepAlive(own, secondsFor(command.ttl()));
            granted(own.token());
            return new Granted(own.revision << FENCE_BITS);
        }
        keepAlive(own, WAITERS_SECONDS);
        before(own).watch = watch;
        return new Busy(remaining(first), watch == null ? null : watch.turn(), true, RECHECK);
    }

    List<RenewAnswer> renew(List<RenewCommand> commands) {
        List<RenewAnswer> answers = new ArrayList<>();
        for (RenewCommand command : commands) {
            Entry own = find(command.id(), command.token());
            if (own == null) {
                answers.add(RenewAnswer.NOT_OWNER);
            } else if (own.granted && own.isHeldBy(command.token()) && !own.hasEnded(nanos())) {
                keepAlive(own, secondsFor(command.ttl()));
                answers.add(RenewAnswer.RENEWED);
            } else {
                answers.add(own.denial(command.token()));
            }
        }
        return answers;
    }

    ReleaseAnswer release(ReleaseCommand command) {
        Entry own = find(command.id(), command.token());
        if (own == null) {
            return ReleaseAnswer.NOT_OWNER;
        }
        boolean was = own.granted;
        if (was && !command.retainFor().isZero()) {
            long seconds = secondsFor(command.retainFor());
            own.keep(nanos() + TimeUnit.SECONDS.toNanos(seconds));
            keepAlive(own, seconds);
        } else {
            removed(own.token());
            delete(own);
        }
        return was ? ReleaseAnswer.RELEASED : ReleaseAnswer.NOT_OWNER;
    }

    LockState describe(LockId id) {
        Entry first = first(id);
        return first == null || !first.granted
                ? new LockState.Free()
                : first.state(nanos(), OptionalLong.of(first.lastFence()));
    }

    /** Marks the key and moves it to a new lease of the same ttl, in one step. The real backend needs several. */
    Outcome revoke(LockId id, long fencingToken) {
        Entry first = first(id);
        if (first == null) {
            return Outcome.FREE;
        }
        if (first.lastFence() != fencingToken) {
            return Outcome.OTHER_HOLDER;
        }
        if (first.isKept()) {
            delete(first);
            return Outcome.REMOVED;
        }
        if (!first.isRevoked()) {
            first.revoke();
            revoked(id, first.token(), fencingToken);
            keepAlive(first, first.seconds);
        }
        return Outcome.REVOKED;
    }

    List<Leftover> leftovers() {
        List<Leftover> left = new ArrayList<>();
        for (Entry entry : entries.values()) {
            left.add(entry.leftover(entry.id, !entry.granted));
        }
        return left;
    }

    private void keepAlive(Entry entry, long seconds) {
        entry.seconds = seconds;
        entry.prolong(nanos() + TimeUnit.SECONDS.toNanos(seconds));
        lookAfter(entry);
    }

    private void lookAfter(Entry entry) {
        long end = entry.endsAt();
        long left = machine().clock().trueNanos(end - nanos());
        simulation().after(Math.max(0, left) + simulation().random().nextLong(LOOK), () -> {
            if (entries.get(entry.revision) == entry && entry.endsAt() == end) {
                note("ends the lease of ", entry.token());
                delete(entry);
            }
        });
    }

    private void delete(Entry entry) {
        entries.remove(entry.revision);
        revision++;
        EtcdWatch watch = entry.watch;
        if (watch != null) {
            watch.deleted();
        }
    }

    private @Nullable Entry find(LockId id, Token token) {
        for (Entry entry : entries.values()) {
            if (entry.id.equals(id) && entry.token().equals(token)) {
                return entry;
            }
        }
        return null;
    }

    private @Nullable Entry first(LockId id) {
        for (Entry entry : entries.values()) {
            if (entry.id.equals(id)) {
                return entry;
            }
        }
        return null;
    }

    private Entry before(Entry own) {
        Entry before = own;
        for (Entry entry : entries.values()) {
            if (entry.id.equals(own.id) && entry.revision < own.revision) {
                before = entry;
            }
        }
        return before;
    }

    private Duration remaining(Entry entry) {
        return Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(100), entry.endsAt() - nanos()));
    }

    /** Returns the ttl in seconds, which is etcd's unit. etcd grants no lease shorter than two seconds. */
    private static long secondsFor(Duration ttl) {
        return Math.max(2, ttl.plusNanos(999_999_999).toSeconds());
    }

    /** A key in a queue. */
    private static final class Entry extends SimulatedLease {

        private final LockId id;

        private final long revision;

        private boolean granted;

        /** The ttl of its lease. */
        private long seconds;

        /** The watch of the key immediately behind this one. */
        private @Nullable EtcdWatch watch;

        private Entry(LockId id, Token token, SimulatedProcess process, long revision, long lateness) {
            super(token, process, 0, lateness);
            this.id = id;
            this.revision = revision;
        }

        private long lastFence() {
            return (revision + 1 << FENCE_BITS) - 1;
        }
    }
}
