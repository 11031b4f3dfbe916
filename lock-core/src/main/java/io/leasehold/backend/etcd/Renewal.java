package io.leasehold.backend.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnResponse;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Renews a batch.
 *
 * <ol>
 *   <li>Each lease is kept alive, all at once. One that has no time left is lost: etcd answers so, and not with an error,
 *       for a lease that does not exist.
 *   <li>Then each key is read, a hundred at a time. One that is gone or was created anew is lost, whatever etcd said of
 *       the lease: old servers call a dead lease alive, and a key can be deleted from under a lease.
 *   <li>A lease that was granted for less than the new ttl is replaced by a longer one, and so is one that this backend
 *       does not know.
 * </ol>
 *
 * Each lock has its own answer; one that etcd did not give is unknown.
 */
final class Renewal {

    private static final int KEYS_PER_READ = 100;

    private final Etcd etcd;

    private final CallScope scope;

    Renewal(Etcd etcd, CallScope scope) {
        this.etcd = etcd;
        this.scope = scope;
    }

    CompletableFuture<List<RenewAnswer>> run(List<RenewCommand> commands) {
        List<CompletableFuture<RenewAnswer>> answers = new ArrayList<>(commands.size());
        List<CompletableFuture<?>> beats = new ArrayList<>(commands.size());
        List<KeptClaim> kept = new ArrayList<>(commands.size());
        for (RenewCommand command : commands) {
            LineKey place = etcd.place(command.id(), command.token());
            Claim claim = etcd.claims().get(place);
            CompletableFuture<RenewAnswer> answer = new CompletableFuture<>();
            answers.add(answer);
            if (claim == null || !claim.granted() || claim.lease().seconds() < EtcdLease.secondsFor(command.ttl())) {
                follow(answer, command);
            } else {
                KeptClaim one = new KeptClaim(command, claim, answer);
                kept.add(one);
                beats.add(keepAlive(one));
            }
        }
        CompletableFuture.allOf(beats.toArray(CompletableFuture[]::new)).thenRun(() -> check(kept));
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }

    /** Ends without failure; what is not alive has its answer then. */
    private CompletableFuture<?> keepAlive(KeptClaim one) {
        return etcd.leases().keepAlive(scope, one.claim.lease()).handle((lease, failure) -> {
            if (failure != null && Failures.isLeaseGone(failure)) {
                lost(one);
            } else if (failure != null) {
                one.answer.complete(RenewAnswer.UNKNOWN);
            }
            return null;
        });
    }

    private void check(List<KeptClaim> kept) {
        List<KeptClaim> alive =
                kept.stream().filter(one -> !one.answer.isDone()).toList();
        for (int from = 0; from < alive.size(); from += KEYS_PER_READ) {
            List<KeptClaim> some = alive.subList(from, Math.min(from + KEYS_PER_READ, alive.size()));
            List<ByteString> keys =
                    some.stream().map(one -> one.claim.place().own()).toList();
            etcd.txn(scope, Txns.read(keys)).whenComplete((response, failure) -> {
                for (int i = 0; i < some.size(); i++) {
                    checked(some.get(i), response, i);
                }
            });
        }
    }

    private void checked(KeptClaim one, @Nullable TxnResponse response, int step) {
        if (response == null) {
            one.answer.complete(RenewAnswer.UNKNOWN);
            return;
        }
        KeyValue own = TxnAnswers.first(response, step);
        if (own == null || own.getCreateRevision() != one.claim.revision()) {
            lost(one);
        } else if (own.getLease() != one.claim.lease().id()) {
            follow(one.answer, one.command);
        } else {
            one.answer.complete(RenewAnswer.RENEWED);
        }
    }

    private void lost(KeptClaim one) {
        if (etcd.claims().remove(one.claim)) {
            etcd.leases().revoke(one.claim.lease());
        }
        one.answer.complete(RenewAnswer.NOT_OWNER);
    }

    private void follow(CompletableFuture<RenewAnswer> answer, RenewCommand command) {
        new Move(etcd, scope, command)
                .run()
                .whenComplete((value, failure) -> answer.complete(failure == null ? value : RenewAnswer.UNKNOWN));
    }

    private record KeptClaim(RenewCommand command, Claim claim, CompletableFuture<RenewAnswer> answer) {}
}
