package io.leasehold.simulation;

import io.leasehold.ForcedRelease;
import io.leasehold.LockBackendException;
import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.simulation.Plan.RevocationPlan;
import io.leasehold.spi.LockId;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Asks for the holder of a lock, and ends its hold by a forced release. */
final class Operator {

    private static final int ATTEMPTS = 5;

    private static final long BEFORE_REPETITION = 10_000_000;

    private final Node node;

    private final RevocationPlan plan;

    private final SimulatedThread thread;

    Operator(Node node, RevocationPlan plan) {
        this.node = node;
        this.plan = plan;
        this.thread = node.newCaller(plan.name(), false);
    }

    void start() {
        thread.execute(() -> {
            note("asks for the holder of ", plan.key());
            node.locker().describe(plan.key()).whenComplete(this::answered);
        });
    }

    private void answered(@Nullable LockState state, @Nullable Throwable failure) {
        simulation().requireThreadOfApplication("the continuation of a question of " + this);
        note("receives the state: ", state == null ? failure : state);
        if (state instanceof Held held && held.fencingToken().isPresent()) {
            long token = held.fencingToken().getAsLong();
            simulation().after(plan.after(), () -> thread.execute(() -> revoke(token, plan.repeated(), ATTEMPTS)));
        } else if (failure != null) {
            failed(failure);
        }
    }

    private void revoke(long fencingToken, boolean again, int attempts) {
        note("takes ", plan.key(), " from ", fencingToken);
        node.oracle().revocationRequested(LockId.of("orders", plan.key()), fencingToken);
        node.locker()
                .forceRelease(plan.key(), fencingToken, plan.name())
                .whenComplete((released, failure) -> revoked(fencingToken, again, attempts, released, failure));
    }

    private void revoked(
            long fencingToken,
            boolean again,
            int attempts,
            @Nullable ForcedRelease released,
            @Nullable Throwable failure) {
        simulation().requireThreadOfApplication("the continuation of a question of " + this);
        note("has the outcome ", released == null ? failure : released.outcome());
        if (failure != null && attempts > 1 && cause(failure) instanceof LockBackendException) {
            // as if voters disagree while the lock changes hands
            simulation()
                    .after(BEFORE_REPETITION, () -> thread.execute(() -> revoke(fencingToken, again, attempts - 1)));
            return;
        }
        if (failure != null) {
            failed(failure);
        }
        if (again) {
            thread.execute(() -> revoke(fencingToken, false, ATTEMPTS));
        }
    }

    private void failed(Throwable failure) {
        Throwable cause = cause(failure);
        if (!(cause instanceof LockBackendException || cause instanceof Exploded)) {
            simulation().violated(this + " met " + cause);
        } else if (node.oracle().isCalm() && !node.wasShutDown()) {
            simulation().violated(this + " failed for no reason: " + cause.getMessage());
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException wrapper ? wrapper.getCause() : failure;
    }

    private void note(@Nullable Object... what) {
        simulation().history().add(simulation().now(), this, what);
    }

    private Simulation simulation() {
        return node.process().simulation();
    }

    @Override
    public String toString() {
        return node.process() + "/" + plan.name();
    }
}
