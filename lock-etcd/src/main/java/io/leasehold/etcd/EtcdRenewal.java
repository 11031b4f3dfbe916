package io.leasehold.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnResponse;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.etcd.client.EtcdErrors;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.support.UnansweredRenewals;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Renews a batch.
 *
 * <ol>
 *   <li>All leases are kept alive in parallel. For a lease that does not exist, etcd answers with a ttl of zero and not
 *       with an error.
 *   <li>Then the keys are read, a hundred at a time. A key that is missing or was created anew is lost, whatever etcd
 *       answered for its lease: old servers report an expired lease as alive, and a key can be deleted although its
 *       lease runs.
 *   <li>A key that was revoked, or released and retained, is lost. Its lease is left to expire, see
 *       {@link EtcdRevocation} and {@link EtcdRelease}.
 *   <li>A lease that was granted for another time than the new ttl is replaced, see {@link EtcdLeaseReplacement}.
 *       Otherwise a lock that was renewed for an hour once would be renewed for an hour each time. So is a lease that
 *       does not exist, that is not the one of the key, or that this backend does not know: an earlier renewal without
 *       an answer may have replaced it.
 * </ol>
 *
 * <p>Each lock has its own answer; an answer that etcd did not give until the renewal is cancelled is unknown.
 */
final class EtcdRenewal {

    private static final int KEYS_PER_READ = 100;

    /** How often a renewal replaces a lease in case that another backend writes the key at the same time. */
    private static final int ATTEMPTS = 20;

    private final EtcdResources etcd;

    private final CancellationScope scope;

    private final int attempts;

    /** The last failure, for the log. An unknown answer has none. */
    private final AtomicReference<@Nullable Throwable> failure;

    EtcdRenewal(EtcdResources etcd, CancellationScope scope) {
        this(etcd, scope, ATTEMPTS, new AtomicReference<>());
    }

    private EtcdRenewal(
            EtcdResources etcd, CancellationScope scope, int attempts, AtomicReference<@Nullable Throwable> failure) {
        this.etcd = etcd;
        this.scope = scope;
        this.attempts = attempts;
        this.failure = failure;
    }

    /** Renews a batch, and logs why some of its leases have no answer. */
    static CompletableFuture<List<RenewAnswer>> of(EtcdResources etcd, List<RenewCommand> commands) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        CompletableFuture<List<RenewAnswer>> renewed =
                CancellationScope.run(scope -> new EtcdRenewal(etcd, scope, ATTEMPTS, failure).run(commands));
        // registered before the dependents of the caller, so that it runs after them: an appender may block
        renewed.thenAccept(answers -> {
            Throwable reason = failure.get();
            UnansweredRenewals.log(
                    EtcdRenewal.class,
                    Collections.frequency(answers, RenewAnswer.UNKNOWN),
                    answers.size(),
                    reason == null ? "timed out" : reason.toString());
        });
        return renewed;
    }

    CompletableFuture<List<RenewAnswer>> run(List<RenewCommand> commands) {
        List<CompletableFuture<RenewAnswer>> answers = new ArrayList<>(commands.size());
        List<KeptEntry> kept = new ArrayList<>(commands.size());
        for (RenewCommand command : commands) {
            QueueKey queueKey = etcd.queueKey(command.id(), command.token());
            QueueEntry entry = etcd.entries().get(queueKey);
            CompletableFuture<RenewAnswer> answer = new CompletableFuture<>();
            answers.add(answer);
            if (entry == null || !entry.granted() || entry.lease().seconds() != EtcdLease.secondsFor(command.ttl())) {
                replace(answer, command);
            } else {
                kept.add(new KeptEntry(command, entry, keepAlive(entry.lease(), answer), answer));
            }
        }
        scope.add(() -> answers.forEach(answer -> answer.complete(RenewAnswer.UNKNOWN)));
        // A key is read after its lease was kept alive, so that a key that was deleted until then is noticed.
        KeyReads reads = new KeyReads(kept.size());
        kept.forEach(one -> one.alive.thenRun(() -> reads.add(one)));
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }

    /** Completes with whether the lease is alive, without failure. Without an answer of etcd the renewal has its own. */
    private CompletableFuture<Boolean> keepAlive(EtcdLease lease, CompletableFuture<RenewAnswer> answer) {
        return etcd.leases().keepAlive(scope, lease).handle((alive, ex) -> {
            if (ex != null && !EtcdErrors.isLeaseGone(ex)) {
                failure.set(EtcdErrors.unwrap(ex));
                answer.complete(RenewAnswer.UNKNOWN);
            }
            return ex == null;
        });
    }

    private void checked(KeptEntry one, @Nullable TxnResponse response, int step) {
        if (response == null) {
            one.answer.complete(RenewAnswer.UNKNOWN);
            return;
        }
        KeyValue own = EtcdTransactions.first(response, step);
        if (own == null || own.getCreateRevision() != one.entry.revision()) {
            etcd.drop(one.entry);
            one.answer.complete(RenewAnswer.NOT_OWNER);
            return;
        }
        RenewAnswer refusal = EtcdHolder.parse(own.getValue()).refusal();
        if (refusal != null) {
            // its lease is left to expire: the key may still be attached to it
            etcd.entries().remove(one.entry);
            one.answer.complete(refusal);
        } else if (!one.alive.join()
                || own.getLease() != one.entry.lease().id()
                // Read last: a replacement that removed the entry may not have seen that the lease was kept alive.
                || !one.entry.equals(etcd.entries().get(one.entry.queueKey()))) {
            replace(one.answer, one.command);
        } else {
            one.answer.complete(RenewAnswer.RENEWED);
        }
    }

    private void replace(CompletableFuture<RenewAnswer> answer, RenewCommand command) {
        QueueKey queueKey = etcd.queueKey(command.id(), command.token());
        CompletableFuture<Void> ended = new CompletableFuture<>();
        CompletableFuture<Void> other = etcd.entries().beginReplacement(queueKey, ended);
        if (other != null) {
            other.thenRun(() -> again(answer, command, attempts));
            return;
        }
        // in a stage, so that an unexpected exception ends the replacement as well
        CompletableFuture<@Nullable RenewAnswer> replaced = CompletableFuture.completedFuture(command)
                .thenCompose(renewal -> new EtcdLeaseReplacement(etcd, scope, renewal).run());
        replaced.whenComplete((value, ex) -> {
            if (ex != null) {
                failure.set(EtcdErrors.unwrap(ex));
            } else if (value == null && attempts == 1) {
                failure.set(new BackendFailure(
                        BackendFailure.Effect.NOT_DONE,
                        "the key had no lease, or changed, each time it was read",
                        null));
            }
            // First, since those that wait for the end find the new entry then.
            etcd.entries().endReplacement(queueKey, ended);
            if (ex == null && value == null && attempts > 1) {
                again(answer, command, attempts - 1);
            } else {
                answer.complete(value == null ? RenewAnswer.UNKNOWN : value);
            }
        });
    }

    private void again(CompletableFuture<RenewAnswer> answer, RenewCommand command, int attempts) {
        new EtcdRenewal(etcd, scope, attempts, failure)
                .run(List.of(command))
                .whenComplete((answers, ex) -> answer.complete(ex == null ? answers.get(0) : RenewAnswer.UNKNOWN));
    }

    /**
     * Reads the keys whose leases were kept alive, several at once. It does not wait for all of them: the caller gives up
     * on all renewals together, and one lease without an answer would then leave every renewal without one.
     */
    private final class KeyReads {

        private final List<KeptEntry> ready = new ArrayList<>();

        private int awaited;

        private int underWay;

        KeyReads(int leases) {
            this.awaited = leases;
        }

        void add(KeptEntry one) {
            synchronized (this) {
                awaited--;
                if (!one.answer.isDone()) {
                    ready.add(one);
                }
            }
            readNext();
        }

        private synchronized List<KeptEntry> next() {
            boolean more = awaited > 0 && underWay > 0;
            if (ready.isEmpty() || more && ready.size() < KEYS_PER_READ) {
                return List.of();
            }
            List<KeptEntry> first = ready.subList(0, Math.min(ready.size(), KEYS_PER_READ));
            List<KeptEntry> next = List.copyOf(first);
            first.clear();
            underWay++;
            return next;
        }

        private void readNext() {
            List<KeptEntry> some = next();
            if (some.isEmpty()) {
                return;
            }
            List<ByteString> keys =
                    some.stream().map(one -> one.entry.queueKey().own()).toList();
            etcd.txn(scope, EtcdTransactions.read(keys)).whenComplete((response, ex) -> {
                synchronized (this) {
                    underWay--;
                }
                readNext();
                if (ex != null) {
                    failure.set(EtcdErrors.unwrap(ex));
                }
                for (int i = 0; i < some.size(); i++) {
                    checked(some.get(i), response, i);
                }
            });
        }
    }

    private record KeptEntry(
            RenewCommand command,
            QueueEntry entry,
            CompletableFuture<Boolean> alive,
            CompletableFuture<RenewAnswer> answer) {}
}
