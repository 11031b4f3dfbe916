package io.leasehold.etcd;

import io.leasehold.etcd.client.CancellationScope;
import io.leasehold.etcd.client.ConnectionAttempt;
import io.leasehold.etcd.client.EtcdClient;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
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
 *   <li>A lock is a queue of keys, one for each token that holds it or waits for it, in the order of their create
 *       revisions. The first holds the lock. So it is first come, first served between all processes.
 *   <li>Each key hangs on a lease of etcd's that no other key hangs on. When the lease ends, etcd deletes the key, and the
 *       next in the queue is the first. A waiter that dies blocks the queue for no longer than a holder that dies: its ttl.
 *   <li>Fencing tokens are the key's create revision times 65,536, and the 65,535 numbers after it.
 *   <li>All reads are linearizable: a member that is cut off from the majority answers nothing.
 * </ol>
 *
 * <p>etcd counts in seconds and looks for expired leases twice a second. A lease runs for the ttl at least; after its
 * holder has died, the lock is free at most about two seconds later than the ttl says. etcd grants no lease shorter than
 * 1.5 times its election timeout, 2 s by default: a ttl of half a second is refused.
 *
 * <p>What can break it: a cluster that is restored from a snapshot has older revisions than it had, so that fencing tokens
 * are given out again; who deletes keys or revokes leases by hand ends the lock, which the next renewal notices. Up to 3.4.37, 3.5.22
 * and 3.6.4 a server may say of an expired lease that it is alive, and up to 3.4.30 and 3.5.12 a new leader may end leases
 * early (etcd-io/etcd, pull requests 20813 and 17465). Each renewal therefore reads the key, too.
 *
 * <p>Stages end on the thread of the connection, which must not be blocked.
 */
public final class EtcdLockBackend implements LockBackend {

    private final EtcdResources etcd;

    private volatile boolean closed;

    /**
     * Prepares a backend. It connects with the first operation.
     *
     * @param options how to reach the cluster
     * @param nanoTime a monotonic clock in nanoseconds, such as {@code System::nanoTime}; it says how old a lease is that
     *     is to be used again, and decides nothing about locks
     */
    public EtcdLockBackend(EtcdOptions options, LongSupplier nanoTime) {
        EtcdClient client =
                new EtcdClient(options.endpoints(), options.tls(), options.user(), options.password(), nanoTime);
        this.etcd = new EtcdResources(client, new LeasePool(client), new QueueEntries(nanoTime), options.keyPrefix());
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
        return run(scope -> new EtcdAcquisition(etcd, command, scope).run(), EtcdAcquisition::forget);
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return run(scope -> new EtcdRenewal(etcd, scope).run(commands), unwanted -> {});
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        QueueKey queueKey = etcd.queueKey(command.id(), command.token());
        return run(scope -> new EtcdRelease(etcd, queueKey, scope).run(command.retainFor()), unwanted -> {});
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        return run(scope -> new EtcdInspection(etcd.client(), scope).run(), unwanted -> {});
    }

    /**
     * Takes those who wait out of their queues, ends the leases that nobody uses and closes the connections; held locks stay
     * until their leases end.
     */
    @Override
    public void close() {
        closed = true;
        etcd.leases().close(etcd.entries().takeWaiting());
        etcd.client().close();
    }

    private <T> CompletionStage<T> run(
            Function<CancellationScope, CompletableFuture<T>> operation, Consumer<? super T> unwanted) {
        return closed
                ? CompletableFuture.failedFuture(
                        new BackendFailure(BackendFailure.Effect.NOT_DONE, "the etcd backend is closed", null))
                : CancellationScope.run(operation, unwanted);
    }
}
