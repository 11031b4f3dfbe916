package io.leasehold.engine;

import io.leasehold.LockListener;
import io.leasehold.LossReason;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Makes lockers, and looks after the leases of all of them with one thread for the clock and a few for callbacks,
 * however many locks are held.
 *
 * <p>The engine does not own the backends: whoever made them closes them, after the engine.
 */
public final class LockEngine implements AutoCloseable {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final List<LeaseLocker> lockers = new CopyOnWriteArrayList<>();

    private final EngineParts parts;

    /**
     * An engine on this machine's clocks.
     *
     * @param listener is told what happens; {@code new LockListener() {}} for nobody
     */
    public LockEngine(LockListener listener) {
        this(listener, Ticker.system(), new SystemScheduler(), new Continuations());
    }

    /** An engine on other clocks and threads, for tests. */
    LockEngine(LockListener listener, Ticker ticker, Scheduler scheduler, Executor continuations) {
        this.parts = EngineParts.of(new GuardedListener(listener), ticker, scheduler, continuations, lockers);
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
        LeaseLocker locker = new LeaseLocker(settings, backendName, backend, parts);
        lockers.add(locker);
        return locker;
    }

    /**
     * Stops granting locks, waits for holders to finish, and then takes their locks from those that have not: they are
     * told {@link LossReason#SHUTDOWN} and the locks are released in the store.
     *
     * @param grace the longest to wait for holders
     * @return whether all holders had finished by themselves
     */
    public boolean shutdown(Duration grace) {
        lockers.forEach(LeaseLocker::stop);
        long start = parts.ticker().nanos();
        boolean interrupted = false;
        while (anyHeld() && !interrupted && parts.ticker().nanos() - start < grace.toNanos()) {
            interrupted = Waits.sleep(POLL_NANOS);
        }
        boolean finished = !anyHeld();
        lockers.forEach(LeaseLocker::releaseAll);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return finished;
    }

    /** Shuts down without waiting for holders and ends the engine's threads. */
    @Override
    public void close() {
        shutdown(Duration.ZERO);
        parts.scheduler().close();
        parts.callbacks().close();
        if (parts.continuations() instanceof Continuations threads) {
            threads.close();
        }
    }

    private boolean anyHeld() {
        return lockers.stream().anyMatch(LeaseLocker::holdsAny);
    }
}
