package io.leasehold.simulation;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.simulation.SimulatedStore.Leftover;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Redis that runs the scripts of the real backend: {@code acquire.lua}, {@code renew.lua}, {@code release.lua},
 * {@code describe.lua} and {@code revoke.lua}.
 */
final class SimulatedRedis extends SimulatedServer {

    private static final long PREFERENCE_MICROS = 100_000;

    private static final long QUEUE_KEPT = TimeUnit.SECONDS.toNanos(60);

    private final long fenceRetention;

    private final Map<LockId, SimulatedLease> leases = new HashMap<>();

    private final Map<LockId, Counter> counters = new HashMap<>();

    private final Map<LockId, TreeMap<Long, Waiter>> queues = new HashMap<>();

    private final Map<LockId, Long> queuesEnd = new HashMap<>();

    private final List<RedisChannel> channels = new ArrayList<>();

    SimulatedRedis(Simulation simulation, double speed, Duration fenceRetention) {
        super(simulation, "redis", speed);
        this.fenceRetention = fenceRetention.toNanos();
    }

    /** FLUSHALL, or a restart without persistence. */
    void flush() {
        note("loses all keys");
        leases.clear();
        counters.clear();
        queues.clear();
        dataLost();
    }

    /** Returns the first fencing token if granted, otherwise -1 - remaining ms. */
    long acquire(AcquireCommand command, RedisChannel.@Nullable Turn turn, SimulatedProcess process, long sentAt) {
        LockId id = command.id();
        SimulatedLease held = lease(id);
        Counter kept = counter(id);
        long now = micros();
        if (held == null) {
            long wait = keptForAnother(id, command.token(), now);
            if (wait > 0) {
                standInLine(command, turn, now, process, sentAt);
                return -1 - TimeUnit.MICROSECONDS.toMillis(wait + 999);
            }
            remove(queue(id), command.token());
        } else if (!held.isHeldBy(command.token())) {
            standInLine(command, turn, now, process, sentAt);
            return -1 - TimeUnit.NANOSECONDS.toMillis(held.endsAt() - nanos());
        } else {
            held.prolong(nanos() + command.ttl().toNanos());
            remove(queue(id), command.token());
            if (kept != null) {
                return kept.last - command.fencingTokens() + 1;
            }
        }
        return grant(command, command.ttl(), process, lateness(sentAt));
    }

    private long grant(AcquireCommand command, Duration ttl, SimulatedProcess process, long lateness) {
        Counter kept = counter(command.id());
        long now = micros();
        leases.put(command.id(), new SimulatedLease(command.token(), process, nanos() + ttl.toNanos(), lateness));
        granted(command.token());
        long first = Math.max(kept == null ? 1 : kept.last + 1, now);
        long last = first + command.fencingTokens() - 1;
        long ahead = TimeUnit.MICROSECONDS.toNanos(Math.max(0, last - now));
        counters.put(command.id(), new Counter(last, nanos() + fenceRetention + ahead));
        return first;
    }

    List<RenewAnswer> renew(List<RenewCommand> commands) {
        List<RenewAnswer> answers = new ArrayList<>();
        for (RenewCommand command : commands) {
            RenewAnswer answer = SimulatedLease.renew(lease(command.id()), command, nanos());
            if (answer == RenewAnswer.RENEWED) {
                keepCounter(command);
            }
            answers.add(answer);
        }
        return answers;
    }

    /** The counter names the lease, so it outlives the lease. */
    private void keepCounter(RenewCommand command) {
        Counter kept = counter(command.id());
        long least = nanos() + command.ttl().toNanos() + fenceRetention / 2;
        if (kept != null && kept.endsAt - least < 0) {
            counters.put(command.id(), new Counter(kept.last, least + fenceRetention / 2));
        }
    }

    ReleaseAnswer release(ReleaseCommand command) {
        LockId id = command.id();
        SimulatedLease lease = lease(id);
        boolean ours = lease != null && lease.token().equals(command.token());
        Waiter place = remove(queue(id), command.token());
        boolean nextMayCome = false;
        if (!ours) {
            nextMayCome = place != null && place.score < 0 && lease == null;
        } else if (command.retainFor().isZero()) {
            leases.remove(id);
            removed(command.token());
            nextMayCome = true;
        } else {
            lease.keep(nanos() + command.retainFor().plusNanos(999_999).toMillis() * 1_000_000);
        }
        TreeMap<Long, Waiter> queue = queue(id);
        while (nextMayCome && !queue.isEmpty() && !grantOrWake(queue)) {
            queue.pollFirstEntry();
        }
        return ours ? ReleaseAnswer.RELEASED : ReleaseAnswer.NOT_OWNER;
    }

    /** Like {@code describe.lua}. */
    LockState describe(LockId id) {
        SimulatedLease lease = lease(id);
        Counter kept = counter(id);
        return lease == null
                ? new LockState.Free()
                : lease.state(nanos(), kept == null ? OptionalLong.empty() : OptionalLong.of(kept.last));
    }

    /** Like {@code revoke.lua}, and for a released lease the removal that follows. */
    Outcome revoke(LockId id, long fencingToken) {
        SimulatedLease lease = lease(id);
        Counter kept = counter(id);
        if (lease == null) {
            return Outcome.FREE;
        }
        if ((kept == null ? 0 : kept.last) != fencingToken) {
            return Outcome.OTHER_HOLDER;
        }
        if (lease.isKept()) {
            leases.remove(id);
            return Outcome.REMOVED;
        }
        lease.revoke();
        revoked(id, lease.token(), fencingToken);
        channels.forEach(channel -> channel.hint(lease.token().low()));
        return Outcome.REVOKED;
    }

    /** Adds the channel of a process. */
    void listen(RedisChannel channel) {
        channels.add(channel);
    }

    List<Leftover> leftovers() {
        List<Leftover> left = new ArrayList<>();
        for (LockId id : List.copyOf(leases.keySet())) {
            SimulatedLease lease = lease(id);
            if (lease != null) {
                left.add(lease.leftover(id, false));
            }
        }
        for (LockId id : List.copyOf(queues.keySet())) {
            for (Waiter one : queue(id).values()) {
                left.add(new Leftover(id, one.token, one.process, true, false, false, one.lateness));
            }
        }
        return left;
    }

    private @Nullable SimulatedLease lease(LockId id) {
        SimulatedLease lease = leases.get(id);
        if (lease != null && lease.hasEnded(nanos())) {
            leases.remove(id);
            return null;
        }
        return lease;
    }

    private @Nullable Counter counter(LockId id) {
        Counter counter = counters.get(id);
        return counter == null || nanos() - counter.endsAt >= 0 ? null : counter;
    }

    private TreeMap<Long, Waiter> queue(LockId id) {
        if (nanos() - queuesEnd.getOrDefault(id, 0L) >= 0) {
            queues.remove(id);
        }
        return queues.computeIfAbsent(id, any -> new TreeMap<>());
    }

    private void standInLine(
            AcquireCommand command, RedisChannel.@Nullable Turn turn, long now, SimulatedProcess process, long sentAt) {
        TreeMap<Long, Waiter> queue = queue(command.id());
        if (!command.queueIfBusy() || turn == null) {
            remove(queue, command.token());
            return;
        }
        Waiter waiter = queue.values().stream()
                .filter(one -> one.token.equals(command.token()))
                .findFirst()
                .orElse(null);
        if (waiter == null) {
            waiter = new Waiter(command, turn, process, now, lateness(sentAt));
            put(queue, waiter);
        }
        waiter.asked = command;
        waiter.turn = turn;
        waiter.expectsUntil = nanos() + turn.provisionalTtl().toNanos() / 2;
        queuesEnd.put(command.id(), nanos() + QUEUE_KEPT);
    }

    /** Returns for how many microseconds the lock is kept for a woken waiter. Skips waiters that do not respond. */
    private long keptForAnother(LockId id, Token self, long now) {
        TreeMap<Long, Waiter> queue = queue(id);
        boolean passedOver = false;
        while (!queue.isEmpty() && !queue.firstEntry().getValue().token.equals(self)) {
            long woken = -queue.firstKey();
            if (woken > 0 && now - woken < PREFERENCE_MICROS) {
                return PREFERENCE_MICROS - (now - woken);
            }
            if (woken <= 0 && !passedOver) {
                return 0;
            }
            if (woken <= 0 && wake(queue)) {
                return PREFERENCE_MICROS;
            }
            queue.pollFirstEntry();
            passedOver = true;
        }
        return 0;
    }

    /** Grants the lock to the first waiter if it was heard of lately, and wakes it otherwise. */
    private boolean grantOrWake(TreeMap<Long, Waiter> queue) {
        Waiter first = queue.firstEntry().getValue();
        if (nanos() - first.expectsUntil >= 0) {
            return wake(queue);
        }
        if (!first.channel.isConnected()) {
            return false;
        }
        queue.pollFirstEntry();
        Duration ttl = first.turn.provisionalTtl();
        first.channel.publish(first.token, first.turn, grant(first.asked, ttl, first.process, first.lateness));
        return true;
    }

    /** Wakes the first waiter. Returns false if its process does not listen. */
    private boolean wake(TreeMap<Long, Waiter> queue) {
        Waiter first = queue.pollFirstEntry().getValue();
        first.score = -micros();
        put(queue, first);
        return first.channel.publish(first.token, null, 0);
    }

    private static void put(TreeMap<Long, Waiter> queue, Waiter waiter) {
        while (queue.putIfAbsent(waiter.score, waiter) != null) {
            waiter.score++;
        }
    }

    private static @Nullable Waiter remove(TreeMap<Long, Waiter> queue, Token token) {
        for (Waiter waiter : queue.values()) {
            if (waiter.token.equals(token)) {
                return queue.remove(waiter.score);
            }
        }
        return null;
    }

    private long micros() {
        return machine().clock().wallMicros();
    }

    private record Counter(long last, long endsAt) {}

    /** A member of a queue. Its score is the time of its arrival, or negative if it was woken. */
    private static final class Waiter {

        private final Token token;

        private final RedisChannel channel;

        private final SimulatedProcess process;

        private final long lateness;

        private long score;

        private AcquireCommand asked;

        private RedisChannel.Turn turn;

        private long expectsUntil;

        private Waiter(
                AcquireCommand asked, RedisChannel.Turn turn, SimulatedProcess process, long score, long lateness) {
            this.token = asked.token();
            this.channel = turn.channel();
            this.asked = asked;
            this.turn = turn;
            this.process = process;
            this.score = score;
            this.lateness = lateness;
        }
    }
}
