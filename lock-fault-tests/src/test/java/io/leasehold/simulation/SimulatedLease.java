package io.leasehold.simulation;

import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.simulation.SimulatedStore.Leftover;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockId;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A lease in a model of a store. Its times are those of the server's clock. */
class SimulatedLease {

    private final Token token;

    private final SimulatedProcess process;

    private final long lateness;

    private Kind kind = Kind.HOLDER;

    private long endsAt;

    /** Creates the lease of an acquisition that was in transit for a time. */
    SimulatedLease(Token token, SimulatedProcess process, long endsAt, long lateness) {
        this.token = token;
        this.process = process;
        this.endsAt = endsAt;
        this.lateness = lateness;
    }

    final Token token() {
        return token;
    }

    final long endsAt() {
        return endsAt;
    }

    final boolean hasEnded(long now) {
        return now - endsAt >= 0;
    }

    /** Whether the lease has the token, and its holder may renew it. */
    final boolean isHeldBy(Token token) {
        return kind == Kind.HOLDER && this.token.equals(token);
    }

    /** Whether its holder has released it, and it stays for a minimum hold time. */
    final boolean isKept() {
        return kind == Kind.RELEASED;
    }

    final boolean isRevoked() {
        return kind == Kind.REVOKED;
    }

    /** Ends the lease at a time, or later if it ends later. */
    final void prolong(long until) {
        endsAt = Math.max(endsAt, until);
    }

    /** Renews the lease if the token may do that. */
    final RenewAnswer renew(RenewCommand command, long now) {
        if (isHeldBy(command.token())) {
            prolong(now + command.ttl().toNanos());
            return RenewAnswer.RENEWED;
        }
        return denial(command.token());
    }

    /** The answer to a renewal by a token that may not renew the lease. */
    final RenewAnswer denial(Token token) {
        return isRevoked() && this.token.equals(token) ? RenewAnswer.REVOKED : RenewAnswer.NOT_OWNER;
    }

    /** Keeps the lease until a time although it is released. A repeated release does not keep it longer. */
    final void keep(long until) {
        endsAt = isKept() ? Math.min(endsAt, until) : until;
        kind = Kind.RELEASED;
    }

    final void revoke() {
        kind = Kind.REVOKED;
    }

    /** The state that a store reports. All simulated processes have the same name. */
    final LockState state(long now, OptionalLong fencingToken) {
        Instance instance = token.instance();
        return new Held(
                kind,
                instance == null ? null : instance.name(),
                null,
                Duration.ofNanos(Math.max(0, endsAt - now)),
                fencingToken,
                OptionalInt.empty());
    }

    final Leftover leftover(LockId id, boolean queued) {
        return new Leftover(id, token, process, queued, isKept(), isRevoked(), lateness);
    }

    /** The answer of a store that has no lease or another one. */
    static RenewAnswer renew(@Nullable SimulatedLease lease, RenewCommand command, long now) {
        return lease == null ? RenewAnswer.NOT_OWNER : lease.renew(command, now);
    }
}
