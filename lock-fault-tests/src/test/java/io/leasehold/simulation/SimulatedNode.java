package io.leasehold.simulation;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockState;
import io.leasehold.simulation.SimulatedStore.Leftover;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.QuorumNode.ServerIdentity;
import io.leasehold.spi.QuorumNode.Vote;
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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A Redis that votes, like {@code vote.lua} and its siblings. It has no persistence and reports its age in seconds. */
final class SimulatedNode extends SimulatedServer {

    private static final long OLD = TimeUnit.HOURS.toNanos(1);

    private final Map<LockId, SimulatedLease> leases = new HashMap<>();

    private final Map<LockId, Long> counters = new HashMap<>();

    private final boolean countsLastSecond;

    private long startedAt;

    private int runs;

    /** Creates a node. A node that counts the last second of its age votes up to a second too early. */
    SimulatedNode(Simulation simulation, String name, double speed, boolean countsLastSecond) {
        super(simulation, name, speed);
        this.countsLastSecond = countsLastSecond;
        this.startedAt = nanos() - OLD - simulation.random().nextLong(OLD);
    }

    void restart() {
        note("restarts and has forgotten everything");
        leases.clear();
        counters.clear();
        startedAt = nanos();
        runs++;
    }

    Vote vote(AcquireCommand command, long leastFence, SimulatedProcess process, long sentAt) {
        SimulatedLease held = lease(command.id());
        boolean wasThere = held != null && held.isHeldBy(command.token());
        return new Vote(
                answer(command, leastFence, held, wasThere, process, sentAt), wasThere, micros(), serverIdentity());
    }

    boolean recordFencingToken(AcquireCommand command, long firstFence) {
        SimulatedLease lease = lease(command.id());
        boolean there = lease != null && lease.isHeldBy(command.token());
        if (there) {
            counters.put(command.id(), firstFence + command.fencingTokens() - 1);
        }
        return there;
    }

    /** Returns the age as the difference of two times that were both truncated to seconds. */
    ServerIdentity serverIdentity() {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos()) - Math.floorDiv(startedAt, 1_000_000_000L);
        long sure = countsLastSecond ? seconds : Math.max(0, seconds - 1);
        return new ServerIdentity(this + "." + runs, Duration.ofSeconds(sure));
    }

    List<RenewAnswer> renew(List<RenewCommand> commands) {
        List<RenewAnswer> answers = new ArrayList<>();
        for (RenewCommand command : commands) {
            answers.add(SimulatedLease.renew(lease(command.id()), command, nanos()));
        }
        return answers;
    }

    ReleaseAnswer release(ReleaseCommand command) {
        SimulatedLease own = own(command.id(), command.token());
        if (own == null) {
            return ReleaseAnswer.NOT_OWNER;
        }
        if (command.retainFor().isZero()) {
            leases.remove(command.id());
        } else {
            own.keep(nanos() + command.retainFor().plusNanos(999_999).toMillis() * 1_000_000);
        }
        return ReleaseAnswer.RELEASED;
    }

    LockState describe(LockId id) {
        SimulatedLease lease = lease(id);
        Long last = counters.get(id);
        return lease == null
                ? new LockState.Free()
                : lease.state(nanos(), last == null ? OptionalLong.empty() : OptionalLong.of(last));
    }

    Outcome revoke(LockId id, long fencingToken) {
        SimulatedLease lease = lease(id);
        if (lease == null) {
            return Outcome.FREE;
        }
        if (counters.getOrDefault(id, 0L) != fencingToken) {
            return Outcome.OTHER_HOLDER;
        }
        if (lease.isKept()) {
            leases.remove(id);
            return Outcome.REMOVED;
        }
        lease.revoke();
        revoked(id, lease.token(), fencingToken);
        return Outcome.REVOKED;
    }

    List<Leftover> leftovers() {
        List<Leftover> left = new ArrayList<>();
        for (LockId id : List.copyOf(leases.keySet())) {
            SimulatedLease lease = lease(id);
            if (lease != null) {
                left.add(lease.leftover(id, false));
            }
        }
        return left;
    }

    private AcquireAnswer answer(
            AcquireCommand command,
            long leastFence,
            @Nullable SimulatedLease held,
            boolean wasThere,
            SimulatedProcess process,
            long sentAt) {
        if (held != null && !wasThere) {
            return new Busy(Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(held.endsAt() - nanos())));
        }
        Long last = counters.get(command.id());
        if (held != null && last != null) {
            held.prolong(nanos() + command.ttl().toNanos());
            return new Granted(last - command.fencingTokens() + 1);
        }
        leases.put(
                command.id(),
                new SimulatedLease(
                        command.token(), process, nanos() + command.ttl().toNanos(), lateness(sentAt)));
        granted(command.token());
        long first = Math.max(Math.max(last == null ? 1 : last + 1, micros()), leastFence);
        counters.put(command.id(), first + command.fencingTokens() - 1);
        return new Granted(first);
    }

    private @Nullable SimulatedLease own(LockId id, Token token) {
        SimulatedLease lease = lease(id);
        return lease != null && lease.token().equals(token) ? lease : null;
    }

    private @Nullable SimulatedLease lease(LockId id) {
        SimulatedLease lease = leases.get(id);
        if (lease != null && lease.hasEnded(nanos())) {
            leases.remove(id);
            return null;
        }
        return lease;
    }

    private long micros() {
        return machine().clock().wallMicros();
    }
}
