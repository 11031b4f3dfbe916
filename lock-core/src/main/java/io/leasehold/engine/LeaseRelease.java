package io.leasehold.engine;

import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A lease on its way back to the store. What the store does not confirm in time is left to the {@link Reaper}. */
final class LeaseRelease {

    static final LeaseRelease PASSED_ON =
            new LeaseRelease(null, CompletableFuture.completedFuture(ReleaseAnswer.RELEASED));

    static final LeaseRelease LOST_MEANWHILE =
            new LeaseRelease(null, CompletableFuture.completedFuture(ReleaseAnswer.NOT_OWNER));

    private final @Nullable Lease lease;

    private final CompletableFuture<ReleaseAnswer> asked;

    private final AtomicBoolean settled = new AtomicBoolean();

    private LeaseRelease(@Nullable Lease lease, CompletableFuture<ReleaseAnswer> asked) {
        this.lease = lease;
        this.asked = asked;
    }

    /** Sends a lease back; {@code patience} says for how long the store may hold the calling thread. */
    static LeaseRelease send(Lease lease, Duration keepFor, Duration patience) {
        CompletableFuture<ReleaseAnswer> asked;
        try {
            ReleaseCommand command = new ReleaseCommand(lease.id(), lease.token(), keepFor, patience);
            asked = lease.locker().backend().release(command).toCompletableFuture();
        } catch (Throwable ex) {
            asked = CompletableFuture.failedFuture(ex);
        }
        return new LeaseRelease(lease, asked);
    }

    /** Waits for the store's answer on this thread, no longer than the command timeout. */
    boolean await() {
        if (lease != null && !asked.isDone()) {
            Waits.awaitUninterruptibly(
                    asked,
                    lease.terms().commandTimeout(),
                    lease.locker().parts().ticker());
        }
        return settle();
    }

    /** Waits for the store's answer without a thread, no longer than the command timeout. */
    CompletionStage<Boolean> awaitAsync() {
        if (lease == null || asked.isDone()) {
            return CompletableFuture.completedFuture(settle());
        }
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        Scheduler.Task timeout = lease.locker()
                .parts()
                .scheduler()
                .schedule(() -> asked.cancel(true), lease.terms().commandTimeout());
        asked.whenComplete((answer, failure) -> {
            timeout.cancel();
            result.complete(settle());
        });
        return result;
    }

    private boolean settle() {
        boolean answered = asked.isDone() && !asked.isCompletedExceptionally();
        if (lease != null && settled.compareAndSet(false, true)) {
            if (!answered) {
                asked.cancel(true);
                lease.locker().parts().reaper().remove(Removal.ofLease(lease));
            }
            lease.line().advance();
        }
        return answered && asked.join() == ReleaseAnswer.RELEASED;
    }
}
