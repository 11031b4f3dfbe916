package io.leasehold.etcd;

import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.etcd.client.EtcdClient;
import io.leasehold.etcd.client.EtcdErrors;
import io.leasehold.spi.BackendFailure;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases without a key, kept for the next acquisition with the same ttl.
 *
 * <p>A lease belongs to one acquisition at a time. It returns to the pool only after etcd has confirmed that its key is
 * deleted or was never put. In case of doubt it is revoked instead. That also removes any key that a late request may
 * have put on it, and prevents such a request from putting one later. Idle leases are not kept alive: they expire and
 * are then removed.
 */
final class LeasePool {

    static final int MAX_IDLE = 128;

    private static final long CLOSE_MILLIS = 1_000;

    private static final int MAX_REPEATED = 1_000;

    private static final long FIRST_PAUSE_MILLIS = 20;

    private static final long LONGEST_PAUSE_MILLIS = 500;

    private static final Logger log = LoggerFactory.getLogger(LeasePool.class);

    private final EtcdClient client;

    private final IdleLeases idle;

    /** Not that of a thread, which continues in the same way in each process that is restored from a checkpoint. */
    private final Random ids;

    /** How many leases wait for another attempt to revoke them. */
    private final AtomicInteger repeated = new AtomicInteger();

    private volatile boolean closed;

    LeasePool(EtcdClient client) {
        this(client, new SecureRandom());
    }

    /** Creates a pool with another generator of ids, for tests. */
    LeasePool(EtcdClient client, Random ids) {
        this.client = client;
        this.ids = ids;
        this.idle = new IdleLeases(client::now, MAX_IDLE);
    }

    /**
     * Takes a lease for a ttl; fails if etcd grants no lease that short.
     *
     * @param onlyNew whether the lease must be new; an idle one has to be kept alive before it is relied on
     */
    CompletableFuture<EtcdLease> take(CancellationScope scope, Duration ttl, boolean onlyNew) {
        long seconds = EtcdLease.secondsFor(ttl);
        return takeShort(scope, seconds, onlyNew).thenApply(lease -> {
            if (lease.seconds() > seconds) {
                revoke(lease);
                throw tooShort(ttl, lease.seconds());
            }
            return lease;
        });
    }

    /** Takes a lease of the given seconds, or of the fewest that etcd grants. */
    CompletableFuture<EtcdLease> takeShort(CancellationScope scope, long seconds, boolean onlyNew) {
        EtcdLease lease = onlyNew ? null : idle.take(seconds);
        return lease == null ? grant(scope, seconds) : CompletableFuture.completedFuture(lease);
    }

    /**
     * Grants a new lease of the given seconds, or of the fewest that etcd grants. Its id is chosen here, so that a lease
     * that was granted without an answer can be revoked.
     */
    CompletableFuture<EtcdLease> grant(CancellationScope scope, long seconds) {
        // Read before the request is sent: the lease runs from the moment at which etcd receives it.
        long sentAt = client.now();
        long id = ids.nextLong(1, Long.MAX_VALUE);
        LeaseGrantRequest request =
                LeaseGrantRequest.newBuilder().setID(id).setTTL(seconds).build();
        return client.call(scope, LeaseGrpc.getLeaseGrantMethod(), request)
                .whenComplete((response, failure) -> {
                    if (failure != null && EtcdErrors.mayHaveHappened(failure)) {
                        revoke(new EtcdLease(id, seconds, sentAt));
                    }
                })
                .thenApply(response -> new EtcdLease(response.getID(), response.getTTL(), sentAt));
    }

    /**
     * Keeps a lease alive. If the lease does not exist, fails with an error that {@link EtcdErrors#isLeaseGone}
     * recognises.
     */
    CompletableFuture<EtcdLease> keepAlive(CancellationScope scope, EtcdLease lease) {
        // Read before the request is sent: the lease is extended from the moment at which etcd receives it.
        long sentAt = client.now();
        return client.keepAlive(scope, lease.id()).thenApply(seconds -> {
            if (seconds <= 0) {
                throw EtcdErrors.leaseGone();
            }
            lease.keptAlive(sentAt);
            return lease;
        });
    }

    /** Keeps a lease alive unless it certainly runs for a ttl. */
    CompletableFuture<EtcdLease> refresh(CancellationScope scope, EtcdLease lease, Duration ttl) {
        return lease.covers(ttl, client.now()) ? CompletableFuture.completedFuture(lease) : keepAlive(scope, lease);
    }

    /**
     * Completes with a call's answer, but only if the call's lease certainly runs for a ttl from now on. If necessary,
     * the lease is kept alive in parallel with the call. Fails as unknown if the call was answered and the keep-alive
     * was not.
     */
    <A> CompletableFuture<A> with(CancellationScope scope, EtcdLease lease, Duration ttl, CompletableFuture<A> call) {
        return refresh(scope, lease, ttl)
                .handle((alive, failure) -> failure)
                .thenCompose(failure -> failure == null ? call : call.thenCompose(answer -> unsure(failure)));
    }

    private static <A> CompletableFuture<A> unsure(Throwable failure) {
        return CompletableFuture.failedFuture(
                EtcdErrors.isLeaseGone(failure)
                        ? failure
                        : new BackendFailure(
                                BackendFailure.Effect.UNKNOWN,
                                "etcd has answered, but not said that the lease runs: " + failure.getMessage(),
                                failure));
    }

    /** Returns or revokes a lease after a failed attempt to put a key on it. */
    void putAway(EtcdLease lease, Throwable failure) {
        if (EtcdErrors.mayHaveHappened(failure)) {
            revoke(lease);
        } else if (!EtcdErrors.isLeaseGone(failure)) {
            giveBack(lease);
        }
    }

    /** Returns a lease that certainly has no key. */
    void giveBack(EtcdLease lease) {
        if (!idle.keep(lease)) {
            revoke(lease);
        }
    }

    /**
     * Revokes a lease, which also deletes its key. The request is repeated until etcd has answered or the lease must
     * have expired, unless {@value #MAX_REPEATED} other leases already wait to be repeated. Once a lease is gone, a
     * late request can no longer put a key on it (rules.md R32).
     */
    CompletableFuture<?> revoke(EtcdLease lease) {
        CompletableFuture<Void> settled = new CompletableFuture<>();
        revoke(lease, FIRST_PAUSE_MILLIS, settled);
        return settled;
    }

    private void revoke(EtcdLease lease, long pauseMillis, CompletableFuture<Void> settled) {
        LeaseRevokeRequest request =
                LeaseRevokeRequest.newBuilder().setID(lease.id()).build();
        client.call(null, LeaseGrpc.getLeaseRevokeMethod(), request).whenComplete((response, failure) -> {
            if (failure == null || isSettled(lease, failure)) {
                settled.complete(null);
                return;
            }
            if (repeated.incrementAndGet() > MAX_REPEATED) {
                repeated.decrementAndGet();
                settled.complete(null);
                log.debug("A lease was not revoked and expires in at most {} s", lease.seconds(), failure);
                return;
            }
            // no stage of this one, since each attempt would add to a chain of stages that stays until the last one
            new CompletableFuture<Void>()
                    .completeOnTimeout(null, pauseMillis, TimeUnit.MILLISECONDS)
                    .thenRun(() -> {
                        repeated.decrementAndGet();
                        revoke(lease, Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS), settled);
                    });
        });
    }

    private boolean isSettled(EtcdLease lease, Throwable failure) {
        return closed
                || EtcdErrors.isLeaseGone(failure)
                || lease.remaining(client.now()).isNegative()
                || EtcdErrors.isRefused(failure);
    }

    /**
     * Revokes the idle leases and those of waiters, and waits up to {@value #CLOSE_MILLIS} ms for that. No lease is
     * kept from now on.
     */
    void close(List<QueueEntry> waiting) {
        Stream<EtcdLease> unused =
                Stream.concat(idle.close().stream(), waiting.stream().map(QueueEntry::lease));
        CompletableFuture.allOf(unused.map(this::revoke).toArray(CompletableFuture[]::new))
                .exceptionally(failure -> null)
                .completeOnTimeout(null, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
                .join();
        // Set last: until then, failed revocations are repeated.
        closed = true;
    }

    private static BackendFailure tooShort(Duration ttl, long seconds) {
        return new BackendFailure(
                BackendFailure.Effect.REFUSED,
                "'ttl' is shorter than what this etcd grants: " + ttl + ", the shortest lease is " + seconds
                        + " s. Use a longer ttl, or give etcd a shorter --election-timeout",
                null);
    }
}
