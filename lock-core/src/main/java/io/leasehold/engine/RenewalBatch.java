package io.leasehold.engine;

import io.leasehold.LockHandle;
import io.leasehold.RenewalRound;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.support.LeaseValidity;
import io.leasehold.support.SafeCancellation;
import io.leasehold.support.SafeLogging;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renewals of one locker that are sent to the store in one command, at most {@value #MOST}. If the store does not
 * answer, all of them are unknown. All leases of a batch have the same command timeout. A short one would otherwise end
 * the renewals of leases that can wait for the answer.
 */
final class RenewalBatch {

    private static final Logger log = LoggerFactory.getLogger(RenewalBatch.class);

    private static final int MOST = 500;

    private final LockerState locker;

    private final long commandTimeout;

    private final List<Renewable> leases = new ArrayList<>();

    private final List<RenewCommand> commands = new ArrayList<>();

    private final CompletableFuture<List<RenewAnswer>> applied = new CompletableFuture<>();

    private @Nullable Long dueSince;

    private long sentAt;

    private long wallMillis;

    private Duration lag = Duration.ZERO;

    private volatile @Nullable Throwable failure;

    /** Creates a batch of leases with the given command timeout in nanoseconds. */
    RenewalBatch(LockerState locker, long commandTimeout) {
        this.locker = locker;
        this.commandTimeout = commandTimeout;
    }

    long commandTimeout() {
        return commandTimeout;
    }

    void add(Renewable lease, RenewCommand command) {
        // in this order: after an error of the JVM in between, the answers are more than the leases, and not applied
        commands.add(command);
        leases.add(lease);
    }

    /** Records when an automatic renewal of this batch was due. */
    void dueSince(long dueAt) {
        Long earliest = dueSince;
        dueSince = earliest == null || dueAt - earliest < 0 ? dueAt : earliest;
    }

    boolean isEmpty() {
        return leases.isEmpty();
    }

    boolean isFull() {
        return leases.size() == MOST;
    }

    /**
     * Sends the renewals. The answers are applied on the thread on which they arrive. After the command timeout the
     * renewals count as unanswered.
     */
    void send() {
        EngineResources resources = locker.resources();
        sentAt = resources.ticker().nanos();
        wallMillis = resources.ticker().wallMillis();
        Long due = dueSince;
        if (due != null) {
            lag = Duration.ofNanos(Math.max(0, sentAt - due));
            locker.renewalLag(lag);
        }
        CompletableFuture<List<RenewAnswer>> asked;
        try {
            asked = locker.backend().renew(commands).toCompletableFuture();
        } catch (Throwable ex) {
            asked = CompletableFuture.failedFuture(ex);
        }
        CompletableFuture<List<RenewAnswer>> sent = asked;
        sent.whenComplete(this::apply);
        Scheduler.Task timeout = resources.scheduler().schedule(() -> SafeCancellation.cancel(sent), commandTimeout);
        sent.whenComplete((answers, ex) -> timeout.cancel());
    }

    /** Completes when the answers have been applied. */
    CompletableFuture<?> applied() {
        return applied;
    }

    /** The answer for the first lease of this batch, {@code UNKNOWN} until the answers have been applied. */
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
        List<RenewAnswer> each = new ArrayList<>(leases.size());
        Duration ttl = Duration.ZERO;
        LeaseValidity renewed = LeaseValidity.of(sentAt, wallMillis, ttl);
        for (int i = 0; i < leases.size(); i++) {
            RenewAnswer answer = complete == null ? RenewAnswer.UNKNOWN : complete.get(i);
            each.add(answer);
            if (!commands.get(i).ttl().equals(ttl)) {
                ttl = commands.get(i).ttl();
                renewed = LeaseValidity.of(sentAt, wallMillis, ttl);
            }
            answer(leases.get(i), answer, renewed);
        }
        applied.complete(each);
        int unknown = Collections.frequency(each, RenewAnswer.UNKNOWN);
        report(each, unknown);
        if (unknown > 0) {
            SafeLogging.log(() -> log.warn(
                    "The renewal of {} of the locks of locker '{}' was not answered; it is tried again while"
                            + " they are valid: {}",
                    unknown,
                    locker.name(),
                    reason(answers, ex)));
        }
    }

    private String reason(@Nullable List<RenewAnswer> answers, @Nullable Throwable ex) {
        if (ex != null) {
            return ex instanceof CancellationException ? "timed out" : ex.toString();
        }
        if (answers == null) {
            return "the backend completed 'renew' with null";
        }
        return answers.size() == leases.size()
                ? "the store has no answer for them"
                : "the backend gave " + answers.size() + " answers to " + leases.size() + " renewals";
    }

    private void report(List<RenewAnswer> answers, int unknown) {
        int renewed = Collections.frequency(answers, RenewAnswer.RENEWED);
        EngineResources resources = locker.resources();
        resources
                .listener()
                .renewalRound(new RenewalRound(
                        locker.name(),
                        renewed,
                        answers.size() - renewed - unknown,
                        unknown,
                        Duration.ofNanos(resources.ticker().nanos() - sentAt),
                        lag));
    }

    /** Applies one answer. A failure must not prevent the answers for the other leases. */
    private void answer(Renewable lease, RenewAnswer answer, LeaseValidity renewed) {
        try {
            lease.answered(answer, renewed);
        } catch (Throwable ex) {
            SafeLogging.log(
                    () -> log.error("The answer to the renewal of {} could not be applied", lease.holder(), ex));
        }
    }

    /** A lease whose renewal is sent in a batch. */
    interface Renewable {

        LockHandle holder();

        /** Applies the store's answer to a renewal. */
        void answered(RenewAnswer answer, LeaseValidity renewed);
    }
}
