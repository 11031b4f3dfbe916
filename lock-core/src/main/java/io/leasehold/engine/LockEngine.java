package io.leasehold.engine;

import io.leasehold.LockListener;
import io.leasehold.LossReason;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Makes lockers, and looks after the leases of all of them with one thread for the clock and a few for callbacks,
 * however many locks are held.
 *
 * <p>The engine does not own the backends: whoever made them closes them, after the engine.
 */
public final class LockEngine implements AutoCloseable {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long LONGEST_RELEASE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<LeaseLocker> lockers = new CopyOnWriteArrayList<>();

    private final EngineParts parts;

    private volatile boolean stopped;

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
        if (stopped) {
            locker.stop();
        }
        return locker;
    }

    /**
     * Stops granting locks, waits for holders to finish, and then takes their locks from those that have not: they are
     * told {@link LossReason#SHUTDOWN} and the locks are released in the store, as far as it answers within a second; what
     * it does not answer for is left to expire.
     *
     * @param grace the longest to wait for holders
     * @return whether all holders had finished by themselves
     */
    public boolean shutdown(Duration grace) {
        stop();
        boolean interrupted = waitWhile(this::anyHeld, grace.toNanos());
        boolean finished = !anyHeld();
        lockers.forEach(LeaseLocker::releaseAll);
        interrupted |= waitWhile(this::anyToRemove, LONGEST_RELEASE_NANOS);
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

    /** Ends the engine's threads. What is still held is lost, and left to expire; see {@link #shutdown}. */
    @Override
    public void close() {
        stop();
        lockers.forEach(LeaseLocker::releaseAll);
        parts.scheduler().close();
        parts.callbacks().close();
        if (parts.continuations() instanceof Continuations threads) {
            threads.close();
        }
    }

    private void stop() {
        stopped = true;
        lockers.forEach(LeaseLocker::stop);
    }

    private boolean waitWhile(BooleanSupplier busy, long nanos) {
        boolean interrupted = false;
        for (long waited = 0; waited < nanos && busy.getAsBoolean() && !interrupted; waited += POLL_NANOS) {
            interrupted = Waits.sleep(POLL_NANOS);
        }
        return interrupted;
    }

    private boolean anyToRemove() {
        return lockers.stream().anyMatch(locker -> locker.pendingRemovals().get() > 0);
    }

    private boolean anyHeld() {
        return lockers.stream().anyMatch(LeaseLocker::holdsAny);
    }
}
