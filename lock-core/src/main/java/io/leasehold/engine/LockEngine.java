package io.leasehold.engine;

import io.leasehold.LockListener;
import io.leasehold.LockerStatus;
import io.leasehold.LossReason;
import io.leasehold.spi.LockBackend;
import io.leasehold.support.Parker;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Creates lockers, and renews the leases of all of them with one timer thread, regardless of the number of held locks.
 * Threads for code of the application exist only while they are needed.
 *
 * <p>The engine does not own the backends. Their owner closes them after the engine.
 */
public final class LockEngine implements AutoCloseable {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long LONGEST_REMOVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Also the monitor under which lockers are added, stopped, resumed and removed. */
    private final List<LeaseLocker> lockers = new CopyOnWriteArrayList<>();

    private final EngineResources resources;

    /** One for all lockers, so that a backend has it once. */
    private final LongConsumer revocations;

    private boolean stopped;

    /**
     * Creates an engine with this machine's clocks.
     *
     * @param listener receives every event; {@code new LockListener() {}} for none
     */
    public LockEngine(LockListener listener) {
        this(listener, new TokenSource());
    }

    /**
     * Creates an engine with this machine's clocks, and with a name that stores show as the holder of its locks.
     *
     * @param listener receives every event; {@code new LockListener() {}} for none
     * @param instanceName the name of this process for people, such as {@code orders@host-3:4711}; need not be unique
     */
    public LockEngine(LockListener listener, String instanceName) {
        this(listener, () -> instanceName);
    }

    /**
     * Creates an engine with this machine's clocks, and with a name that may change while the engine is shut down, such
     * as that of the host on which a checkpoint is restored.
     *
     * @param listener receives every event; {@code new LockListener() {}} for none
     * @param instanceName returns the name of this process for people; called now and by each {@link #resume()}
     */
    public LockEngine(LockListener listener, Supplier<String> instanceName) {
        this(listener, new TokenSource(instanceName));
    }

    private LockEngine(LockListener listener, TokenSource tokens) {
        this(
                listener,
                Ticker.system(),
                Scheduler.daemon("lock-timer"),
                Parker.system(),
                EngineResources::random,
                tokens,
                EngineExecutors.daemons());
    }

    /**
     * Creates an engine with other clocks and threads, for tests in virtual time.
     *
     * @param listener receives every event
     * @param instanceName returns the name of this process for people; called now and by each {@link #resume()}
     * @param ticker the clocks
     * @param scheduler runs the engine's own timed tasks; closed with the engine
     * @param parker blocks the threads of waiting callers
     * @param executor runs code of the application: the results of asynchronous calls, the callbacks of lost locks, and
     *     the events that no caller's thread caused. It must run the events in order
     */
    public LockEngine(
            LockListener listener,
            Supplier<String> instanceName,
            Ticker ticker,
            Scheduler scheduler,
            Parker parker,
            Executor executor) {
        this(
                listener,
                ticker,
                scheduler,
                parker,
                EngineResources::random,
                new TokenSource(instanceName),
                new EngineExecutors(executor, executor, executor));
    }

    /** Creates an engine with other random numbers besides, for tests of the engine. */
    LockEngine(
            LockListener listener,
            Ticker ticker,
            Scheduler scheduler,
            Parker parker,
            LongUnaryOperator jitter,
            TokenSource tokens,
            EngineExecutors executors) {
        this.resources = new EngineResources(
                new EngineListener(listener, executors.events()),
                ticker,
                scheduler,
                parker,
                jitter,
                tokens,
                executors,
                new Reaper(ticker, scheduler),
                new LeaseWatchdog(ticker, scheduler));
        this.revocations = resources.watchdog()::revocationHinted;
    }

    /**
     * Creates a locker. In a Spring application it participates in transactions only if it is a bean whose declared
     * type is {@link io.leasehold.Locker}.
     *
     * @param settings the configuration of the locker
     * @param backendName the kind of store, for the locker's status and for metrics
     * @throws IllegalArgumentException if the namespace is not valid
     */
    public LeaseLocker locker(LockerSettings settings, String backendName, LockBackend backend) {
        return locker(settings, backendName, "", backend, UnaryOperator.identity());
    }

    /**
     * Creates a locker whose failures name where its store is configured, and that decorates its store. Lockers of this
     * engine with the same namespace and store have the same locks, also if each of them decorates the store: a call of
     * one of them joins the locks of the others.
     *
     * @param settings the configuration of the locker
     * @param backendName the kind of store, for the locker's status and for metrics
     * @param setBy where the store is configured, without secrets; empty if that is unknown
     * @param decorator returns the backend that the locker uses, which must keep the locks of the store
     * @throws IllegalArgumentException if the namespace is not valid
     */
    public LeaseLocker locker(
            LockerSettings settings,
            String backendName,
            String setBy,
            LockBackend store,
            UnaryOperator<LockBackend> decorator) {
        LockBackend backend = decorator.apply(store);
        LeaseLocker locker;
        synchronized (lockers) {
            locker = new LeaseLocker(settings, backendName, setBy, store, backend, resources, lockers);
            // before the locker is used: the watchdog must find every lease
            resources.watchdog().add(locker.queues());
            backend.onRevocation(revocations);
            lockers.add(locker);
            if (stopped) {
                locker.stop();
            }
        }
        return locker;
    }

    /** Returns a snapshot of each locker, in the order of their creation. */
    public List<LockerStatus> status() {
        return lockers.stream().map(LeaseLocker::status).toList();
    }

    /**
     * Returns the status of one locker.
     *
     * @param locker the name of the locker
     * @return its status, empty if this engine has no locker of that name
     */
    public Optional<LockerStatus> status(String locker) {
        return lockers.stream()
                .filter(each -> each.name().equals(locker))
                .findFirst()
                .map(LeaseLocker::status);
    }

    /**
     * Stops granting locks, waits for the holders to finish, then ends the locks of the remaining holders (rules.md
     * R33).
     *
     * <ol>
     *   <li>Callers that wait for a lock get a {@link io.leasehold.LockBackendException}.
     *   <li>Commands that were sent before are answered or time out. A lock that is granted now is released.
     *   <li>Holders have {@code grace} to release their locks. The remaining locks are lost with
     *       {@link LossReason#SHUTDOWN} and released in the store.
     *   <li>Leases whose removal the store does not confirm within a second expire after their ttl. So do those of
     *       abandoned acquisitions that the store executes only after the shutdown.
     * </ol>
     *
     * @param grace the maximum time to wait for holders
     * @return whether all holders released their locks themselves
     */
    public boolean shutdown(Duration grace) {
        stop();
        return end(lockers, grace);
    }

    /**
     * Closes one locker, as a {@linkplain #shutdown(Duration) shutdown} without grace does. Locks that are still held
     * are lost with {@link LossReason#SHUTDOWN}. The engine then forgets the locker. A second call has no effect.
     *
     * @param locker a locker of this engine
     */
    public void close(LeaseLocker locker) {
        synchronized (lockers) {
            lockers.remove(locker);
            locker.stop();
        }
        end(List.of(locker), Duration.ZERO);
        resources.watchdog().remove(locker.queues());
    }

    private boolean end(List<LeaseLocker> stopped, Duration grace) {
        boolean interrupted =
                waitWhile(stopped, locker -> locker.state().openCalls().get() > 0, longestCommand(stopped));
        interrupted = interrupted || waitWhile(stopped, LeaseLocker::holdsAny, TimeUnit.NANOSECONDS.convert(grace));
        boolean finished = stopped.stream().noneMatch(LeaseLocker::holdsAny);
        stopped.forEach(LeaseLocker::releaseAll);
        stopped.forEach(locker -> resources.reaper().removeAgain(locker.state().backlog()));
        interrupted |= waitWhile(
                stopped,
                // the calls are read first: a call adds its token to the backlog before it ends
                locker -> locker.state().openCalls().get() > 0
                        || locker.state().backlog().pending() > 0,
                LONGEST_REMOVAL_NANOS);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return finished;
    }

    /**
     * Grants locks again after {@link #shutdown}, with new leases and as another instance. Locks that the shutdown ended
     * stay lost. Must not be called after a close.
     */
    public void resume() {
        resources.tokens().renew();
        synchronized (lockers) {
            stopped = false;
            lockers.forEach(LeaseLocker::resume);
        }
    }

    /** Shuts the engine down without waiting for holders, then ends its threads. */
    @Override
    public void close() {
        try {
            shutdown(Duration.ZERO);
        } finally {
            resources.watchdog().close();
            resources.scheduler().close();
            resources.executors().close();
        }
    }

    private void stop() {
        synchronized (lockers) {
            stopped = true;
            lockers.forEach(LeaseLocker::stop);
        }
    }

    private static long longestCommand(List<LeaseLocker> some) {
        return some.stream().mapToLong(LeaseLocker::commandTimeoutNanos).max().orElse(0);
    }

    /**
     * Polls the condition, because the callers do not notify this thread. Returns whether the thread was interrupted.
     */
    private boolean waitWhile(List<LeaseLocker> some, Predicate<LeaseLocker> busy, long nanos) {
        Parker parker = resources.parker();
        for (long waited = 0; waited < nanos && some.stream().anyMatch(busy); waited += POLL_NANOS) {
            parker.park(this, POLL_NANOS);
            if (Thread.interrupted()) {
                return true;
            }
        }
        return false;
    }
}
