package io.leasehold.engine;

import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renewals of one locker that go to the store together, and their common fate if it does not answer. */
final class RenewalRound {

    private static final Logger log = LoggerFactory.getLogger(RenewalRound.class);

    private final LeaseLocker locker;

    private final List<RenewableLease> leases = new ArrayList<>();

    private final List<RenewCommand> commands = new ArrayList<>();

    private final CompletableFuture<List<RenewAnswer>> applied = new CompletableFuture<>();

    private long sentAt;

    private long wallMillis;

    private volatile @Nullable Throwable failure;

    RenewalRound(LeaseLocker locker) {
        this.locker = locker;
    }

    void add(RenewableLease lease, Duration ttl) {
        leases.add(lease);
        commands.add(new RenewCommand(lease.id(), lease.token(), ttl));
    }

    int size() {
        return leases.size();
    }

    /** Asks the store; the answers are applied on whatever thread they come on, or after the command timeout. */
    void send() {
        EngineParts parts = locker.parts();
        sentAt = parts.ticker().nanos();
        wallMillis = parts.ticker().wallMillis();
        CompletableFuture<List<RenewAnswer>> asked;
        try {
            asked = locker.backend().renew(commands).toCompletableFuture();
        } catch (Throwable ex) {
            asked = CompletableFuture.failedFuture(ex);
        }
        CompletableFuture<List<RenewAnswer>> sent = asked;
        Scheduler.Task timeout = parts.scheduler().schedule(() -> sent.cancel(true), longestWait());
        sent.whenComplete((answers, ex) -> {
            timeout.cancel();
            apply(answers, ex);
        });
    }

    /** Ends when the answers have been applied. */
    CompletableFuture<?> applied() {
        return applied;
    }

    /** The answer for the only lease of this round. */
    RenewAnswer answer() {
        return applied.getNow(List.of(RenewAnswer.UNKNOWN)).get(0);
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    private void apply(@Nullable List<RenewAnswer> answers, @Nullable Throwable ex) {
        failure = ex;
        List<RenewAnswer> complete = answers != null && answers.size() == leases.size() ? answers : null;
        if (complete == null) {
            log.warn(
                    "Renewal of {} locks of locker '{}' was not answered; it is tried again while they are valid: {}",
                    leases.size(),
                    locker.name(),
                    ex instanceof CancellationException ? "timed out" : String.valueOf(ex));
        }
        List<RenewAnswer> each = new ArrayList<>(leases.size());
        Duration ttl = Duration.ZERO;
        Proof renewed = Proof.of(sentAt, wallMillis, ttl);
        for (int i = 0; i < leases.size(); i++) {
            RenewAnswer answer = complete == null ? RenewAnswer.UNKNOWN : complete.get(i);
            each.add(answer);
            if (!commands.get(i).ttl().equals(ttl)) {
                ttl = commands.get(i).ttl();
                renewed = Proof.of(sentAt, wallMillis, ttl);
            }
            leases.get(i).answered(answer, renewed);
        }
        applied.complete(each);
    }

    private long longestWait() {
        long shortest = Long.MAX_VALUE;
        for (RenewableLease lease : leases) {
            shortest = Math.min(shortest, lease.terms().commandTimeout());
        }
        return shortest;
    }
}
