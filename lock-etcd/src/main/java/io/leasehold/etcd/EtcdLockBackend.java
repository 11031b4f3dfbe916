package io.leasehold.etcd;

import io.leasehold.ForcedRelease;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.etcd.client.ConnectionAttempt;
import io.leasehold.etcd.client.EtcdClient;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Keeps locks in etcd.
 *
 * <ol>
 *   <li>A lock is a queue of keys, one for each token that holds the lock or waits for it, in the order of their create
 *       revisions. The first key holds the lock. Tokens of all processes are therefore served first come, first served.
 *   <li>Each key is attached to an etcd lease that no other key is attached to. When the lease ends, etcd deletes the
 *       key, and the next key becomes the first. A holder that dies blocks the queue for its ttl. A waiter that dies
 *       blocks it for three seconds, whatever its ttl.
 *   <li>The fencing tokens of a grant are the key's create revision times 65,536, and the 65,535 numbers after it.
 *   <li>All reads are linearizable: a member that is disconnected from the majority does not answer.
 * </ol>
 *
 * <p>etcd counts in seconds and checks for expired leases twice a second. A lease runs at least for the ttl. After its
 * holder has died, the lock is free at most about two seconds after the end of the ttl. etcd grants no lease shorter
 * than 1.5 times its election timeout, which is 2 s by default: a ttl of half a second is refused.
 *
 * <p>Limits: a cluster that is restored from a snapshot has older revisions than before, so fencing tokens are granted
 * again. Deleting a key or revoking a lease by hand ends the lock, which the next renewal detects. Up to 3.4.37, 3.5.22
 * and 3.6.4 a server may report an expired lease as alive, and up to 3.4.30 and 3.5.12 a new leader may end leases
 * early (etcd-io/etcd, pull requests 20813 and 17465). Each renewal therefore also reads the key.
 *
 * <p>Stages complete on the thread of the connection, which must not be blocked.
 */
public final class EtcdLockBackend implements LockBackend {

    private final EtcdResources etcd;

    private volatile boolean closed;

    /**
     * Creates a backend, which connects on its first operation.
     *
     * @param options how to reach the cluster
     * @param nanoTime a monotonic clock in nanoseconds, such as {@code System::nanoTime}. It measures the age of a
     *     lease that is to be reused
     * @param wallClock the time of day. It shows whether the monotonic clock stood still while the machine was
     *     suspended. The times of grants that other processes read are also its times
     */
    public EtcdLockBackend(EtcdOptions options, LongSupplier nanoTime, InstantSource wallClock) {
        LongSupplier clock = new SuspensionAwareClock(nanoTime, wallClock);
        EtcdClient client =
                new EtcdClient(options.endpoints(), options.tls(), options.user(), options.password(), clock);
        this.etcd = new EtcdResources(
                client, new LeasePool(client), new QueueEntries(clock), options.keyPrefix(), wallClock);
    }

    @Override
    public CompletionStage<Void> connect() {
        return run(scope -> new ConnectionAttempt(etcd.client(), etcd.keyPrefix(), scope).run(), unwanted -> {});
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        if (command.fencingTokens() > QueueKey.FENCING_TOKENS) {
            return CompletableFuture.failedFuture(new BackendFailure(
                    BackendFailure.Effect.REFUSED,
                    "'fencingTokens' must be at most " + QueueKey.FENCING_TOKENS + " with etcd: "
                            + command.fencingTokens() + " (" + command.id() + ")",
                    null));
        }
        return run(scope -> new EtcdAcquisition(etcd, command, scope).run(), AcquireAnswer::discard);
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return closed ? isClosed() : EtcdRenewal.of(etcd, commands);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return run(
                scope -> new EtcdRelease(etcd, command.id(), command.token(), scope).run(command.retainFor()),
                unwanted -> {});
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        return run(scope -> new EtcdInspection(etcd.client(), scope).run(), unwanted -> {});
    }

    @Override
    public CompletionStage<LockState> describe(LockId id) {
        return run(scope -> new EtcdDescription(etcd, scope).run(id), unwanted -> {});
    }

    @Override
    public CompletionStage<LockListing> list(String namespace, int limit) {
        return run(scope -> new EtcdListing(etcd, scope).run(namespace, limit), unwanted -> {});
    }

    @Override
    public CompletionStage<ForcedRelease.Outcome> revoke(LockId id, long fencingToken) {
        return run(scope -> new EtcdRevocation(etcd, scope).run(id, fencingToken), unwanted -> {});
    }

    /**
     * Removes the waiters of this backend from their queues, revokes unused leases and closes the connections. Held
     * locks remain until their leases end.
     */
    @Override
    public void close() {
        closed = true;
        etcd.leases().close(etcd.entries().takeWaiting());
        etcd.client().close();
    }

    private <T> CompletionStage<T> run(
            Function<CancellationScope, CompletableFuture<T>> operation, Consumer<? super T> unwanted) {
        return closed ? isClosed() : CancellationScope.run(operation, unwanted);
    }

    private static <T> CompletableFuture<T> isClosed() {
        return CompletableFuture.failedFuture(
                new BackendFailure(BackendFailure.Effect.NOT_DONE, "the etcd backend is closed", null));
    }
}
