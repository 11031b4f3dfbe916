package io.leasehold.redlock;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.QuorumNode;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A node in memory. It behaves like a single Redis, with a clock that the test moves, and answers immediately. */
final class MemoryNode implements QuorumNode {

    private final LongSupplier nanoTime;

    private final long skewMicros;

    private final boolean persistsEveryWrite;

    private final Map<LockId, Entry> entries = new HashMap<>();

    private final Map<LockId, Long> fences = new HashMap<>();

    private String instance = UUID.randomUUID().toString();

    private long startedAt;

    MemoryNode(LongSupplier nanoTime, Duration skew, boolean persistsEveryWrite) {
        this.nanoTime = nanoTime;
        this.skewMicros = 1_700_000_000_000_000L + skew.toNanos() / 1_000;
        this.persistsEveryWrite = persistsEveryWrite;
        this.startedAt = nanoTime.getAsLong() - Duration.ofHours(1).toNanos();
    }

    @Override
    public synchronized CompletionStage<Vote> vote(AcquireCommand command, long leastFence) {
        boolean wasThere = entry(command.id(), command.token()) != null;
        return CompletableFuture.completedFuture(new Vote(grant(command, leastFence), wasThere, micros(), here()));
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        return vote(command, 0).thenApply(Vote::answer);
    }

    @Override
    public synchronized CompletionStage<Boolean> recordFencingToken(AcquireCommand command, long firstFence) {
        boolean there = entry(command.id(), command.token()) != null;
        if (there) {
            fences.put(command.id(), firstFence + command.fencingTokens() - 1);
        }
        return CompletableFuture.completedFuture(there);
    }

    @Override
    public synchronized CompletionStage<ServerIdentity> serverIdentity() {
        return CompletableFuture.completedFuture(here());
    }

    @Override
    public synchronized CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return CompletableFuture.completedFuture(
                commands.stream().map(this::renew).toList());
    }

    @Override
    public synchronized CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        Entry entry = entry(command.id(), command.token());
        if (entry == null) {
            return CompletableFuture.completedFuture(ReleaseAnswer.NOT_OWNER);
        }
        if (command.retainFor().isZero()) {
            entries.remove(command.id());
        } else {
            long end = end(command.retainFor());
            entries.put(
                    command.id(),
                    new Entry(entry.token(), entry.released() ? Math.min(end, entry.expiresAt()) : end, true));
        }
        return CompletableFuture.completedFuture(ReleaseAnswer.RELEASED);
    }

    /** Deletes all data without a restart, like FLUSHALL. */
    synchronized void wipe() {
        entries.clear();
        fences.clear();
    }

    /** Restarts without the data. */
    synchronized void restartEmpty() {
        wipe();
        restart();
    }

    /** Restarts with the data. */
    synchronized void restart() {
        instance = UUID.randomUUID().toString();
        startedAt = nanoTime.getAsLong();
    }

    /** Assumes the identity of another node. */
    synchronized void becomeTwinOf(MemoryNode other) {
        instance = other.instance;
    }

    synchronized void drop(LockId id) {
        entries.remove(id);
    }

    synchronized @Nullable Token holder(LockId id) {
        Entry entry = entries.get(id);
        return entry == null || entry.hasExpired(nanoTime.getAsLong()) ? null : entry.token();
    }

    private AcquireAnswer grant(AcquireCommand command, long leastFence) {
        Token holder = holder(command.id());
        Entry entry = entries.get(command.id());
        if (holder != null && (!holder.equals(command.token()) || entry.released())) {
            return new Busy(Duration.ofNanos(entry.expiresAt() - nanoTime.getAsLong()));
        }
        long first = fences.getOrDefault(command.id(), 0L) - command.fencingTokens() + 1;
        if (holder == null) {
            first = Math.max(Math.max(first + command.fencingTokens(), micros()), leastFence);
            fences.put(command.id(), first + command.fencingTokens() - 1);
        }
        prolong(command.id(), command.token(), command.ttl());
        return new Granted(first);
    }

    private RenewAnswer renew(RenewCommand command) {
        Entry entry = entry(command.id(), command.token());
        if (entry == null || entry.released()) {
            return RenewAnswer.NOT_OWNER;
        }
        prolong(command.id(), command.token(), command.ttl());
        return RenewAnswer.RENEWED;
    }

    private void prolong(LockId id, Token token, Duration ttl) {
        Entry known = entry(id, token);
        long end = end(ttl);
        entries.put(id, new Entry(token, known == null ? end : Math.max(end, known.expiresAt()), false));
    }

    private @Nullable Entry entry(LockId id, Token token) {
        return token.equals(holder(id)) ? entries.get(id) : null;
    }

    private long end(Duration time) {
        return nanoTime.getAsLong() + time.toNanos();
    }

    private long micros() {
        return skewMicros + nanoTime.getAsLong() / 1_000;
    }

    private ServerIdentity here() {
        Duration memory = Duration.ofNanos(nanoTime.getAsLong() - startedAt);
        return new ServerIdentity(instance, persistsEveryWrite ? null : memory);
    }

    private record Entry(Token token, long expiresAt, boolean released) {

        boolean hasExpired(long now) {
            return expiresAt - now <= 0;
        }
    }
}
