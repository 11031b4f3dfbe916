package io.leasehold.engine;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LockerStatus;
import io.leasehold.LossReason;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A {@link Locker} over the leases of a store. */
public final class LeaseLocker implements Locker {

    private final LockerSettings settings;

    private final LeaseTerms terms;

    private final String backendName;

    private final LockBackend backend;

    private final EngineResources resources;

    private final ConcurrentMap<LockId, LocalQueue> queues = new ConcurrentHashMap<>();

    private final AtomicInteger waiting = new AtomicInteger();

    private final AtomicInteger openCalls = new AtomicInteger();

    private final AtomicInteger pendingRemovals = new AtomicInteger();

    private final AtomicInteger unconfirmedRemovals = new AtomicInteger();

    private final AtomicReference<@Nullable CompletableFuture<Void>> connecting = new AtomicReference<>();

    private volatile boolean connected;

    private volatile boolean stopped;

    LeaseLocker(LockerSettings settings, String backendName, LockBackend backend, EngineResources resources) {
        LockId.of(settings.namespace(), "key");
        this.settings = settings;
        this.terms = LeaseTerms.of(
                settings.name(),
                settings.ttl(),
                settings.autoRenew(),
                settings.maxHoldTime(),
                settings.minHoldTime(),
                settings.commandTimeout());
        this.backendName = backendName;
        this.backend = backend;
        this.resources = resources;
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public Optional<LockHandle> tryLock(LockRequest request) {
        if (Thread.currentThread().isInterrupted()) {
            throw new LockInterruptedException(name(), request.key());
        }
        LeaseTerms terms = LeaseTerms.of(settings, this.terms, request);
        if (stopped) {
            throw isShutDown(request);
        }
        WaitingThread caller = new WaitingThread(resources);
        Acquisition acquisition = new Acquisition(this, request, terms, caller);
        try {
            acquisition.start();
            long waitUntil = acquisition.step();
            while (!acquisition.isDone()) {
                caller.await(waitUntil);
                waitUntil = acquisition.step();
            }
        } catch (InterruptedException ex) {
            acquisition.abandon();
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(name(), request.key());
        } catch (Throwable ex) {
            acquisition.abandon();
            throw ex;
        } finally {
            acquisition.report();
        }
        return acquisition.result();
    }

    @Override
    public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
        LeaseTerms terms = LeaseTerms.of(settings, this.terms, request);
        return stopped
                ? CompletableFuture.failedFuture(isShutDown(request))
                : new AsyncAcquisition(this, request, terms).start();
    }

    /** Returns a snapshot of the locker. */
    public LockerStatus status() {
        List<LockHandle> held = new ArrayList<>();
        for (LocalQueue queue : queues.values()) {
            Lease lease = queue.lease();
            if (lease != null && !lease.hasEnded()) {
                held.add(lease.holder());
            }
        }
        return new LockerStatus(name(), backendName, held, waiting.get(), pendingRemovals.get());
    }

    LockerSettings settings() {
        return settings;
    }

    long commandTimeoutNanos() {
        return terms.commandTimeout();
    }

    LockBackend backend() {
        return backend;
    }

    EngineResources resources() {
        return resources;
    }

    ConcurrentMap<LockId, LocalQueue> queues() {
        return queues;
    }

    /** The number of callers that wait for a lock. */
    AtomicInteger waiting() {
        return waiting;
    }

    /** The number of acquisitions and releases in progress. */
    AtomicInteger openCalls() {
        return openCalls;
    }

    /** The number of tokens that the reaper has yet to remove. */
    AtomicInteger pendingRemovals() {
        return pendingRemovals;
    }

    /** The number of these tokens for which the store has not answered yet. */
    AtomicInteger unconfirmedRemovals() {
        return unconfirmedRemovals;
    }

    boolean isConnected() {
        return connected;
    }

    /** Opens the store's connections. Concurrent callers share one attempt. */
    CompletableFuture<Void> connect() {
        CompletableFuture<Void> attempt = new CompletableFuture<>();
        CompletableFuture<Void> other = connecting.compareAndExchange(null, attempt);
        if (other != null) {
            return other;
        }
        CompletionStage<Void> opened;
        try {
            opened = backend.connect();
        } catch (Throwable ex) {
            opened = CompletableFuture.failedFuture(ex);
        }
        opened.whenComplete((nothing, failure) -> {
            connected = failure == null;
            // before the attempt completes: a caller that retries on its failure must start a new attempt
            connecting.set(null);
            if (failure == null) {
                attempt.complete(null);
            } else {
                attempt.completeExceptionally(
                        failure instanceof CompletionException wrapped && wrapped.getCause() != null
                                ? wrapped.getCause()
                                : failure);
            }
        });
        return attempt;
    }

    boolean isStopped() {
        return stopped;
    }

    void stop() {
        stopped = true;
        // after the flag is set, so that the next step of every waiter sees it
        queues.values().forEach(LocalQueue::signalAll);
    }

    void resume() {
        stopped = false;
    }

    boolean holdsAny() {
        return queues.values().stream().map(LocalQueue::lease).anyMatch(lease -> lease != null && !lease.hasEnded());
    }

    void releaseAll() {
        for (LocalQueue queue : queues.values()) {
            Lease lease = queue.lease();
            if (lease != null) {
                lease.lose(LossReason.SHUTDOWN);
            }
        }
    }

    private LockBackendException isShutDown(LockRequest request) {
        return new LockBackendException(
                "lock '" + request.key() + "' of locker '" + name() + "' was not asked for: the locker is shut down",
                name(),
                request.key(),
                null);
    }

    /** A caller's thread, which drives its acquisition and blocks between the steps. */
    private static final class WaitingThread implements Runnable {

        private final EngineResources resources;

        private final Thread thread = Thread.currentThread();

        private volatile boolean signalled;

        private WaitingThread(EngineResources resources) {
            this.resources = resources;
        }

        /** Signals a change for the waiting caller. */
        @Override
        public void run() {
            // set before the unpark, so that the woken thread sees it
            signalled = true;
            resources.parker().unpark(thread);
        }

        private void await(long until) throws InterruptedException {
            long left = until - resources.ticker().nanos();
            while (!signalled && left > 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                resources.parker().park(this, left);
                left = until - resources.ticker().nanos();
            }
            if (!signalled && Thread.interrupted()) {
                throw new InterruptedException();
            }
            // cleared before the next step: a signal that arrives during the step is not missed
            signalled = false;
        }
    }
}
