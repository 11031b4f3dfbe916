package io.leasehold.engine;

import io.leasehold.ForcedRelease;
import io.leasehold.LockBackendException;
import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockListing;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.Locker;
import io.leasehold.LockerStatus;
import io.leasehold.LossReason;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.support.SafeLogging;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@link Locker} over the leases of a store. */
public final class LeaseLocker implements Locker {

    private static final Logger log = LoggerFactory.getLogger(LeaseLocker.class);

    private final LeaseTerms terms;

    private final String backendName;

    private final LockerState state;

    private final LocalQueues queues;

    private final List<LeaseLocker> lockers;

    /**
     * Creates a locker that has not been used.
     *
     * @param store the store itself, without the decorators of this locker
     * @param backend the store with the decorators
     * @param lockers all lockers of the engine, at any time; this one is added later
     */
    LeaseLocker(
            LockerSettings settings,
            String backendName,
            String setBy,
            LockBackend store,
            LockBackend backend,
            EngineResources resources,
            List<LeaseLocker> lockers) {
        LockId.of(settings.namespace(), "key");
        this.terms = LeaseTerms.of(
                settings.name(),
                settings.ttl(),
                settings.autoRenew(),
                settings.maxHoldTime(),
                settings.minHoldTime(),
                settings.commandTimeout());
        this.backendName = backendName;
        this.state = new LockerState(
                settings,
                store,
                backend,
                setBy.isEmpty() ? "" : ". Store '" + backendName + "' is configured by " + setBy,
                resources);
        this.queues = new LocalQueues(state);
        this.lockers = lockers;
    }

    @Override
    public String name() {
        return state.name();
    }

    @Override
    public Object lockSpace() {
        return state.space();
    }

    @Override
    public Duration waitTime() {
        return state.settings().waitTime();
    }

    @Override
    public void requireValid(LockRequest request) {
        LeaseTerms.of(state.settings(), terms, request);
    }

    @Override
    public Optional<LockHandle> tryLock(LockRequest request) {
        if (Thread.currentThread().isInterrupted()) {
            throw new LockInterruptedException(name(), request.key());
        }
        LeaseTerms terms = LeaseTerms.of(state.settings(), this.terms, request);
        if (state.isStopped()) {
            throw isShutDown(request);
        }
        WaitingThread caller = new WaitingThread(state.resources());
        LockRequest asked = worksUnder(request.key()) ? request.withWaitTime(Duration.ZERO) : request;
        Acquisition acquisition = new Acquisition(queues, asked, terms, caller);
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
        Optional<LockHandle> result = acquisition.result();
        if (isTraced() && result.isPresent()) {
            SafeLogging.log(() -> log.trace("Acquired {}", result.get(), new Throwable("acquired here")));
        }
        return result;
    }

    @Override
    public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
        LeaseTerms terms = LeaseTerms.of(state.settings(), this.terms, request);
        return state.isStopped()
                ? CompletableFuture.failedFuture(isShutDown(request))
                : new AsyncAcquisition(queues, request, terms).start();
    }

    @Override
    public CompletionStage<LockNotAcquiredException> notAcquired(String key, Duration waited) {
        boolean works = LockContext.findOwn(this, key).isPresent();
        Optional<LeaseHandle> own = works
                ? Optional.empty()
                : holders(key)
                        .filter(holder -> holder.thread() == Thread.currentThread())
                        .findFirst();
        if (own.isPresent()) {
            return CompletableFuture.completedFuture(waitedForItself(own.get(), key, waited));
        }
        if (works || !state.settings().reportHolder()) {
            return Locker.super.notAcquired(key, waited);
        }
        return StoreQuery.state(state, key, terms.commandTimeout(), () -> leases(key))
                .derive((state, failure) -> new LockNotAcquiredException(
                        name(),
                        key,
                        waited,
                        state == null ? new LockState.Unknown("the store did not answer") : state));
    }

    @Override
    public CompletionStage<LockState> describe(String key) {
        return StoreQuery.state(state, key, terms.commandTimeout(), () -> leases(key));
    }

    @Override
    public CompletionStage<LockListing> list(int limit) {
        if (limit < 1 || limit > LockListing.MOST) {
            throw new IllegalArgumentException("'limit' must be 1 to " + LockListing.MOST + ": " + limit);
        }
        return StoreQuery.listing(
                state,
                limit,
                () -> sameLocks()
                        .flatMap(locker -> locker.queues.held().stream())
                        .toList());
    }

    @Override
    public CompletionStage<ForcedRelease> forceRelease(String key, long fencingToken, String requestedBy) {
        return state.settings().forceRelease()
                ? new Revocation(state, () -> queuesOf(key), key, fencingToken, requestedBy, terms.commandTimeout())
                        .send()
                : CompletableFuture.failedFuture(new IllegalStateException("locker '" + name()
                        + "' does not permit forced releases; set 'lock.force-release.enabled' to true"));
    }

    /** Returns a snapshot of the locker. */
    public LockerStatus status() {
        long now = state.resources().ticker().nanos();
        List<LockerStatus.Hold> holds = new ArrayList<>();
        for (Lease lease : queues.held()) {
            LeaseHandle holder = lease.holder();
            holds.add(new LockerStatus.Hold(
                    holder, Duration.ofNanos(now - holder.acquiredAt()), holder.renewals(), holder.thread()));
        }
        return new LockerStatus(
                name(),
                backendName,
                holds,
                waiters(now),
                state.waiting().get(),
                state.backlog().pending(),
                state.renewalLag());
    }

    private List<LockerStatus.Waiter> waiters(long now) {
        List<LockerStatus.Waiter> waiters = new ArrayList<>();
        for (LocalQueue queue : queues.all()) {
            int place = 0;
            for (LocalQueue.Waiter waiter : queue.waiters()) {
                place++;
                if (waiter.isWaiting()) {
                    LocalQueue.Caller caller = waiter.caller();
                    waiters.add(new LockerStatus.Waiter(
                            caller.key(), Duration.ofNanos(now - caller.startedAt()), place, caller.thread()));
                }
            }
        }
        return waiters;
    }

    LockerState state() {
        return state;
    }

    LocalQueues queues() {
        return queues;
    }

    long commandTimeoutNanos() {
        return terms.commandTimeout();
    }

    void stop() {
        state.stop();
        // after the flag is set, so that the next step of every waiter sees it
        queues.signalAll();
    }

    void resume() {
        state.resume();
    }

    boolean holdsAny() {
        return !queues.held().isEmpty();
    }

    void releaseAll() {
        queues.loseAll(LossReason.SHUTDOWN);
    }

    /** The caller gets its lock even if a filter of the log throws. Nobody else can release it. */
    private static boolean isTraced() {
        try {
            return log.isTraceEnabled();
        } catch (Throwable ex) {
            return false;
        }
    }

    private LockNotAcquiredException waitedForItself(LeaseHandle own, String key, Duration waited) {
        long since = state.resources().ticker().nanos() - own.acquiredAt();
        return new LockNotAcquiredException(
                name(),
                key,
                waited,
                "the calling thread acquired it " + Duration.ofNanos(since).toMillis()
                        + " ms ago, has not released it, and waited for itself for " + waited.toMillis()
                        + " ms. Release it first, pass its LockHandle on, or take both locks with executeLocked or"
                        + " @DistributedLock, which join. Set the log level of " + LeaseLocker.class.getName()
                        + " to trace to log where locks are acquired");
    }

    /**
     * Whether this thread works under the lock, which ends only after the present call, so that it would wait for itself.
     * A lock that another thread acquired may be released by that thread. One that was acquired asynchronously belongs to
     * the work, such as the body of a suspending function.
     */
    private boolean worksUnder(String key) {
        return LockContext.findOwn(this, key)
                .filter(enclosing -> holders(key)
                        .anyMatch(holder -> holder.fencingToken() == enclosing.fencingToken()
                                && (holder.thread() == null || holder.thread() == Thread.currentThread())))
                .isPresent();
    }

    /** The present holder of a lock in this process. */
    private Stream<LeaseHandle> holders(String key) {
        return leases(key).stream().map(Lease::holder);
    }

    private List<Lease> leases(String key) {
        return queuesOf(key).stream()
                .map(LocalQueue::heldLease)
                .filter(Objects::nonNull)
                .toList();
    }

    private List<LocalQueue> queuesOf(String key) {
        return sameLocks()
                .map(locker -> locker.queues.queueOf(key))
                .filter(Objects::nonNull)
                .toList();
    }

    /** The lockers of this process with the same locks. */
    private Stream<LeaseLocker> sameLocks() {
        return lockers.stream().filter(locker -> locker.lockSpace().equals(lockSpace()));
    }

    private LockBackendException isShutDown(LockRequest request) {
        return new LockBackendException(
                "lock '" + request.key() + "' of locker '" + name() + "' was not asked for: the locker is shut down."
                        + " End the work before its engine or application context is stopped or closed",
                name(),
                request.key(),
                null);
    }

    /** A caller's thread, which drives its acquisition and blocks between the steps. */
    private static final class WaitingThread implements Acquisition.Driver {

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

        @Override
        public Thread thread() {
            return thread;
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
