package io.leasehold.simulation;

import io.leasehold.LockAttempt;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LossReason;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.engine.SimulatedEngine;
import io.leasehold.simulation.SimulatedThread.Role;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.Random;
import java.util.SplittableRandom;

/** A process with a real engine and two lockers of the same locks. */
final class Node {

    private static final int CALLBACK_THREADS = 4;

    private static final long LONGEST_BLOCK = 1_000_000_000;

    private final SimulatedProcess process;

    private final SimulatedScheduler scheduler;

    private final SimulatedParker parker;

    private final SimulatedExecutor async;

    private final LockBackend backend;

    private final LockEngine engine;

    private final LeaseLocker locker;

    private final LeaseLocker otherLocker;

    private final Duration ttl;

    private final Oracle oracle;

    private final boolean callbacksBlock;

    private int asked;

    private boolean wasShutDown;

    private boolean closed;

    Node(
            SimulatedProcess process,
            LockBackend backend,
            Duration ttl,
            int maxLocalHandoffs,
            boolean callbacksBlock,
            Oracle oracle) {
        SplittableRandom random = process.simulation().random();
        this.process = process;
        this.ttl = ttl;
        this.oracle = oracle;
        this.backend = backend;
        this.callbacksBlock = callbacksBlock;
        this.scheduler = new SimulatedScheduler(process, "timer");
        this.parker = new SimulatedParker(process);
        this.async = new SimulatedExecutor(process, "async", CALLBACK_THREADS, callbacksBlock);
        this.engine = SimulatedEngine.create(
                new Told(),
                process.clock(),
                scheduler,
                parker,
                random::nextLong,
                new QuickRandom(random),
                async,
                new SimulatedExecutor(process, "callback", CALLBACK_THREADS, callbacksBlock),
                new SimulatedExecutor(process, "events", 1, callbacksBlock));
        LockerSettings settings = LockerSettings.of("orders")
                .withTtl(ttl)
                .withMaxLocalHandoffs(maxLocalHandoffs)
                .withForceRelease(true);
        this.locker = engine.locker(settings, "simulated", backend);
        this.otherLocker = engine.locker(
                LockerSettings.of("purchases")
                        .withNamespace(settings.namespace())
                        .withTtl(ttl)
                        .withMaxLocalHandoffs(maxLocalHandoffs),
                "simulated",
                backend);
    }

    SimulatedProcess process() {
        return process;
    }

    SimulatedParker parker() {
        return parker;
    }

    LeaseLocker locker() {
        return locker;
    }

    /** A locker with the same locks. */
    LeaseLocker otherLocker() {
        return otherLocker;
    }

    Duration ttl() {
        return ttl;
    }

    Oracle oracle() {
        return oracle;
    }

    SimulatedThread newCaller(String name, boolean mayBlock) {
        return process.newThread(Role.CALLER, name, mayBlock);
    }

    /** Whether the engine was shut down at any time, so that it may have refused callers. */
    boolean wasShutDown() {
        return wasShutDown;
    }

    boolean isClosed() {
        return closed;
    }

    void shutdown(Duration grace) {
        wasShutDown = true;
        engine.shutdown(grace);
    }

    void resume() {
        engine.resume();
    }

    void close() {
        wasShutDown = true;
        closed = true;
        engine.close();
    }

    void closeBackend() {
        backend.close();
    }

    /** The unfinished work of the engine; empty if there is none. */
    String unfinished() {
        return SimulatedEngine.unfinished(locker)
                + SimulatedEngine.unfinished(otherLocker)
                + (scheduler.waiting() == 0 ? "" : scheduler.waiting() + " scheduled tasks ")
                + (asked == 0 || process.hasFailed() ? "" : asked + " acquisitions whose end was not told ");
    }

    @Override
    public String toString() {
        return process.toString();
    }

    /** Forwards the engine's events to the oracle. */
    private final class Told implements LockListener {

        @Override
        public void acquireStarted(LockAttempt attempt) {
            asked++;
        }

        @Override
        public void acquireEnded(LockAttempt attempt, AcquireOutcome outcome, Duration waited) {
            asked--;
            process.simulation().history().add(process.simulation().now(), process, attempt.key(), ": ", outcome);
        }

        @Override
        public void released(LockHandle handle, Duration held) {
            oracle.released(handle);
            misbehave();
        }

        @Override
        public void renewed(LockHandle handle, RenewOutcome outcome) {
            requireEventsThread();
            misbehave();
        }

        @Override
        public void lost(LockHandle handle, LossReason reason, Duration held) {
            requireEventsThread();
            oracle.lost(process, handle, reason);
            misbehave();
        }

        /** Requires that the engine reports its own findings on a thread on which a listener may block. */
        private void requireEventsThread() {
            SimulatedThread running = process.simulation().running();
            if (running == null || running.role() != Role.CALLBACK) {
                process.simulation().violated("the listener of " + process + " is called on " + running);
            } else if (callbacksBlock && process.simulation().random().nextInt(8) == 0) {
                parker.park(this, process.simulation().random().nextLong(LONGEST_BLOCK));
            }
        }

        private void misbehave() {
            if (process.simulation().random().nextInt(32) == 0) {
                throw new IllegalStateException("planned");
            }
        }
    }

    /** Draws the bytes of many tokens in one call. */
    private static final class QuickRandom extends Random {

        private static final long serialVersionUID = 1L;

        private final transient SplittableRandom random;

        private QuickRandom(SplittableRandom random) {
            super(0);
            this.random = random.split();
        }

        @Override
        public void nextBytes(byte[] bytes) {
            random.nextBytes(bytes);
        }
    }
}
