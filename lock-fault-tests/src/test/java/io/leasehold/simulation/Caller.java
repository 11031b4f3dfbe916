package io.leasehold.simulation;

import io.leasehold.LockBackendException;
import io.leasehold.LockException;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.LossReason;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.simulation.Plan.Callback;
import io.leasehold.simulation.Plan.CallerPlan;
import io.leasehold.simulation.Plan.GiveUp;
import io.leasehold.spi.LockId;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Code of an application that acquires a lock, holds it for a while, and behaves according to its plan. */
abstract class Caller {

    private static final long BETWEEN_TIMES = 20_000;

    private final Node node;

    private final CallerPlan plan;

    private final SimulatedThread thread;

    private int timesLeft;

    private boolean busy;

    Caller(Node node, CallerPlan plan) {
        this.node = node;
        this.plan = plan;
        this.timesLeft = plan.times();
        this.thread = node.newCaller(plan.name(), !plan.async() || plan.callback() == Callback.BLOCKS);
    }

    static Caller of(Node node, CallerPlan plan) {
        return plan.async() ? new AsyncCaller(node, plan) : new BlockingCaller(node, plan);
    }

    /** Requests the lock. Calls {@link #ended} when the caller is done with it. */
    abstract void ask();

    /** Ends the wait early. */
    abstract void giveUp();

    final void start() {
        if (timesLeft-- > 0) {
            busy = true;
            if (plan.giveUp() != GiveUp.NOT && timesLeft == 0) {
                simulation().after(plan.giveUpAfter(), this::giveUp);
            }
            ask();
        }
    }

    final void ended() {
        busy = false;
        simulation().after(simulation().about(BETWEEN_TIMES), this::start);
    }

    /** Whether the caller has requested a lock and is not done. */
    final boolean isBusy() {
        return busy;
    }

    final LeaseLocker locker() {
        return plan.otherLocker() ? node.otherLocker() : node.locker();
    }

    final Node node() {
        return node;
    }

    final SimulatedProcess process() {
        return node.process();
    }

    final CallerPlan plan() {
        return plan;
    }

    final SimulatedThread thread() {
        return thread;
    }

    final Simulation simulation() {
        return node.process().simulation();
    }

    final LockRequest request() {
        Duration maxHold = plan.maxHold().isZero() ? null : plan.maxHold();
        Duration ttl = plan.shortTtl() ? node.ttl().dividedBy(2) : null;
        LockRequest request = new LockRequest(plan.key(), plan.waitTime(), ttl, plan.autoRenew(), maxHold, null);
        return plan.minHold().isZero() ? request : request.withMinHoldTime(plan.minHold());
    }

    /** Records that the caller was granted a lock. */
    final Oracle.View hold(LockHandle lock) {
        Oracle.View view = node.oracle().began(this, LockId.of("orders", plan.key()), lock);
        lock.onLost(reason -> lost(view, reason));
        return view;
    }

    /** Records that the acquisition failed. */
    final void failed(Throwable failure) {
        note("failed: ", failure.getMessage());
        if (node.oracle().isCalm() && !node.wasShutDown() && failure instanceof LockBackendException) {
            simulation().violated(this + " failed for no reason: " + failure.getMessage());
        }
    }

    final void renew(LockHandle lock) {
        try {
            switch (plan.renewal()) {
                case NONE -> {}
                case FOR_THE_TTL -> lock.renew();
                case FOR_LONGER -> lock.renew(node.ttl().multipliedBy(2));
            }
        } catch (LockException | IllegalStateException | IllegalArgumentException ex) {
            note("did not renew: ", ex.getMessage());
        }
    }

    final void release(Oracle.View view, LockHandle lock) {
        note("releases");
        node.oracle().releases(view);
        switch (plan.ending()) {
            case RELEASE -> lock.release();
            case CLOSE -> lock.close();
            case ASYNC -> whenReleased(lock.releaseAsync());
            case TWICE -> {
                lock.release();
                lock.release();
            }
        }
    }

    final void whenReleased(CompletionStage<Boolean> released) {
        released.whenComplete((was, failure) -> {
            requireThreadOfApplication("the continuation of a release");
            misbehave();
        });
    }

    /** Blocks the current thread, or throws, if the plan says so. */
    final void misbehave() {
        if (plan.callback() == Callback.BLOCKS) {
            pass(plan.blocks());
        } else if (plan.callback() == Callback.THROWS) {
            throw new IllegalStateException("planned");
        }
    }

    /** Blocks the current thread unless it is interrupted. */
    final void pass(long nanos) {
        SimulatedClock clock = process().clock();
        long end = clock.peek() + nanos;
        for (long left = nanos; left > 0 && !Thread.currentThread().isInterrupted(); left = end - clock.peek()) {
            node.parker().park(this, left);
        }
    }

    final void requireThreadOfApplication(String what) {
        simulation().requireThreadOfApplication(what + " of " + this);
    }

    final void note(Object... what) {
        simulation().history().add(simulation().now(), this, what);
    }

    private void lost(Oracle.View view, LossReason reason) {
        requireThreadOfApplication("the callback for a loss");
        note("is told of its loss: ", reason);
        view.calledBack();
        misbehave();
    }

    @Override
    public String toString() {
        return process() + "/" + plan.name();
    }
}
