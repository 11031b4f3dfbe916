package io.leasehold.etcd;

import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.etcd.client.EtcdClient;
import io.leasehold.etcd.client.EtcdErrors;
import io.leasehold.etcd.client.EtcdMember;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Queries the status of each member, and the shortest lease that the cluster grants. */
final class EtcdInspection {

    private static final long USUAL_SHORTEST_LEASE = 2;

    private static final Duration LONGEST_STATUS = Duration.ofSeconds(2);

    private final EtcdClient client;

    private final CancellationScope scope;

    EtcdInspection(EtcdClient client, CancellationScope scope) {
        this.client = client;
        this.scope = scope;
    }

    /** Fails if the cluster grants no lease, unless a member refuses it: a refusal is a finding. */
    CompletableFuture<List<SafetyFinding>> run() {
        List<EtcdMember> members = client.members().all();
        CompletableFuture<List<SafetyFinding>> findings = shortestLease(members.size() - 1);
        for (EtcdMember member : members) {
            CompletableFuture<StatusResponse> status =
                    client.call(scope, member, MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance());
            findings = findings.thenCombine(judge("etcd " + member.endpoint(), status), EtcdInspection::together);
        }
        return findings;
    }

    /** Asks one member after the other: a member that failed is not the one that the next call is sent to. */
    private CompletableFuture<List<SafetyFinding>> shortestLease(int others) {
        LeaseGrantRequest request = LeaseGrantRequest.newBuilder().setTTL(1).build();
        return CancellationScope.either(
                client.call(scope, LeaseGrpc.getLeaseGrantMethod(), request),
                lease -> CompletableFuture.completedFuture(judge(lease)),
                failure -> {
                    if (EtcdErrors.isRefused(failure)) {
                        return CompletableFuture.completedFuture(List.of(noLease(failure)));
                    }
                    return others == 0 ? CompletableFuture.failedFuture(failure) : shortestLease(others - 1);
                });
    }

    private static SafetyFinding noLease(Throwable refusal) {
        return new SafetyFinding(
                "etcd",
                "grants no lease, so no lock: " + refusal.getMessage(),
                "See the server's log and 'etcdctl endpoint status'");
    }

    private List<SafetyFinding> judge(LeaseGrantResponse lease) {
        client.call(
                null,
                LeaseGrpc.getLeaseRevokeMethod(),
                LeaseRevokeRequest.newBuilder().setID(lease.getID()).build());
        return lease.getTTL() <= USUAL_SHORTEST_LEASE
                ? List.of()
                : List.of(new SafetyFinding(
                        "shortest lease",
                        "etcd grants no lease of less than " + lease.getTTL() + " s; a shorter 'ttl' is refused",
                        "Use a 'ttl' of at least " + lease.getTTL() + " s, or give etcd a shorter --election-timeout"));
    }

    /** A member that hangs must not hide the answers of the others until its connection is given up. */
    private static CompletableFuture<List<SafetyFinding>> judge(String name, CompletableFuture<StatusResponse> asked) {
        return asked.orTimeout(LONGEST_STATUS.toNanos(), TimeUnit.NANOSECONDS)
                .handle((status, failure) -> failure == null ? judge(name, status) : List.of(noStatus(name, failure)));
    }

    private static SafetyFinding noStatus(String name, Throwable failure) {
        return EtcdErrors.isOtherCluster(failure)
                ? new SafetyFinding(
                        name,
                        "is not used: " + EtcdErrors.unwrap(failure).getMessage(),
                        "Remove it from 'lock.etcd.endpoints', or let it join the cluster of the other endpoints")
                : new SafetyFinding(
                        name,
                        "does not answer: " + reason(EtcdErrors.unwrap(failure)),
                        "See whether it runs and can be reached; the locks go on while a majority does");
    }

    private static @Nullable String reason(Throwable failure) {
        return failure instanceof TimeoutException
                ? "no answer within " + LONGEST_STATUS.toSeconds() + " s"
                : failure.getMessage();
    }

    private static List<SafetyFinding> judge(String name, StatusResponse status) {
        List<SafetyFinding> findings = new ArrayList<>();
        if (!EtcdVersion.parse(status.getVersion()).isRecommended()) {
            findings.add(new SafetyFinding(
                    name,
                    "version " + status.getVersion()
                            + " may call an expired lease alive; it is noticed by reading the key,"
                            + " but later than need be",
                    "Upgrade to at least 3.4.38, 3.5.23 or 3.6.5"));
        }
        for (String error : status.getErrorsList()) {
            findings.add(new SafetyFinding(
                    name,
                    "reports '" + error.strip() + "'",
                    error.contains("NOSPACE")
                            ? "Compact and defragment, or raise --quota-backend-bytes, then disarm the alarm; until then no"
                                    + " lock is granted"
                            : "See the server's log and 'etcdctl endpoint status'"));
        }
        return findings;
    }

    private static List<SafetyFinding> together(List<SafetyFinding> some, List<SafetyFinding> more) {
        List<SafetyFinding> all = new ArrayList<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }
}
