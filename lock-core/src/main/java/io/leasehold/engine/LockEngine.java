package io.leasehold.engine;

import io.leasehold.LockListener;
import io.leasehold.LossReason;
import io.leasehold.spi.LockBackend;
import io.leasehold.support.Parker;
import io.leasehold.support.Scheduler;
import io.leasehold.support.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;

/**
 * Makes lockers, and renews the leases of all of them with one thread for the clock, however many locks are held. Threads
 * for code of the application exist only while there is such code to run.
 *
 * <p>The engine does not own the backends: their owner closes them, after the engine.
 */
public final class LockEngine implements AutoCloseable {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long LONGEST_REMOVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<LeaseLocker> lockers = new CopyOnWriteArrayList<>();

    private final EngineResources resources;

    private volatile boolean stopped;

    /**
     * An engine on this machine's clocks.
     *
     * @param listener is called for every event; {@code new LockListener() {}} for none
     */
    public LockEngine(LockListener listener) {
        this(
                listener,
                Ticker.system(),
                Scheduler.daemon("lock-timer"),
                Parker.system(),
                EngineResources::random,
                new TokenSource(),
                EngineExecutors.daemons());
    }

    /** An engine on other clocks and threads, for tests. */
    LockEngine(
            LockListener listener,
            Ticker ticker,
            Scheduler scheduler,
            Parker parker,
            LongUnaryOperator jitter,
            TokenSource tokens,
            EngineExecutors executors) {
        this.resources = EngineResources.of(listener, ticker, scheduler, parker, jitter, tokens, executors, lockers);
    }

    /**
     * Makes a locker.
     *
     * @param settings how it is configured
     * @param backendName the kind of store, for metrics
     * @param backend the store
     * @return the locker
     * @throws IllegalArgumentException if the namespace is none
     */
    public LeaseLocker locker(LockerSettings settings, String backendName, LockBackend backend) {
        LeaseLocker locker = new LeaseLocker(settings, backendName, backend, resources);
        lockers.add(locker);
        if (stopped) {
            locker.stop();
        }
        return locker;
    }

    /**
     * Stops granting locks, waits for holders to finish, and then ends the locks of holders that have not (RELIABILITY R33).
     *
     * <ol>
     *   <li>Callers that wait for a lock get a {@link io.leasehold.LockBackendException}.
     *   <li>Commands that were sent before are answered or time out; a lock that is granted now is given back.
     *   <li>Holders have {@code grace} to release their locks. The others are told {@link LossReason#SHUTDOWN}, and their
     *       locks are released in the store.
     *   <li>Removals that the store does not answer within a second are left to the ttl.
     * </ol>
     *
     * @param grace the longest to wait for holders
     * @return whether all holders had finished by themselves
     */
    public boolean shutdown(Duration grace) {
        stop();
        boolean interrupted = waitWhile(locker -> locker.openCalls().get() > 0, longestCommand());
        interrupted = interrupted || waitWhile(LeaseLocker::holdsAny, grace.toNanos());
        boolean finished = lockers.stream().noneMatch(LeaseLocker::holdsAny);
        lockers.forEach(LeaseLocker::releaseAll);
        interrupted |= waitWhile(
                locker -> locker.unconfirmedRemovals().get() > 0
                        || locker.openCalls().get() > 0,
                LONGEST_REMOVAL_NANOS);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return finished;
    }

    /** Grants locks again after {@link #shutdown}, with new leases: what was held then stays lost. Not after a close. */
    public void resume() {
        stopped = false;
        lockers.forEach(LeaseLocker::resume);
    }

    /** Shuts the engine down without waiting for holders, and ends its threads. */
    @Override
    public void close() {
        shutdown(Duration.ZERO);
        resources.scheduler().close();
        resources.executors().close();
    }

    private void stop() {
        stopped = true;
        lockers.forEach(LeaseLocker::stop);
    }

    private long longestCommand() {
        return lockers.stream()
                .mapToLong(LeaseLocker::commandTimeoutNanos)
                .max()
                .orElse(0);
    }

    /** Waits by the clock: no caller that is waited for knows of this thread. */
    private boolean waitWhile(Predicate<LeaseLocker> busy, long nanos) {
        Parker parker = resources.parker();
        for (long waited = 0; waited < nanos && lockers.stream().anyMatch(busy); waited += POLL_NANOS) {
            parker.park(this, POLL_NANOS);
            if (Thread.interrupted()) {
                return true;
            }
        }
        return false;
    }
}
