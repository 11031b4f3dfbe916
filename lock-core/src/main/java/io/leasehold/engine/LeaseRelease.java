package io.leasehold.engine;

import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.support.OffloadedFuture;
import io.leasehold.support.SafeCancellation;
import io.leasehold.support.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The release of a lease in the store. The {@link Reaper} retries a release that the store does not confirm in time.
 */
final class LeaseRelease {

    static final LeaseRelease HANDED_OVER = ended(ReleaseAnswer.RELEASED);

    static final LeaseRelease LOST_MEANWHILE = ended(ReleaseAnswer.NOT_OWNER);

    private final @Nullable Lease lease;

    private final CompletableFuture<ReleaseAnswer> asked;

    private LeaseRelease(@Nullable Lease lease, CompletableFuture<ReleaseAnswer> asked) {
        this.lease = lease;
        this.asked = asked;
    }

    private static LeaseRelease ended(ReleaseAnswer answer) {
        return new LeaseRelease(null, CompletableFuture.completedFuture(answer));
    }

    /** Sends the release of a lease, which may retain the lock for some time. */
    static LeaseRelease send(Lease lease, Duration retainFor) {
        lease.locker().openCalls().incrementAndGet();
        try {
            return new LeaseRelease(lease, ask(lease, retainFor));
        } catch (Throwable ex) {
            end(lease, false);
            throw ex;
        }
    }

    private static CompletableFuture<ReleaseAnswer> ask(Lease lease, Duration retainFor) {
        try {
            ReleaseCommand command = new ReleaseCommand(lease.id(), lease.token(), retainFor);
            return lease.locker().backend().release(command).toCompletableFuture();
        } catch (Throwable ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    /** Blocks this thread until the store answers, no longer than the command timeout. */
    boolean await() {
        if (lease != null && !asked.isDone()) {
            EngineResources resources = lease.locker().resources();
            try {
                resources.parker().awaitUninterruptibly(asked, lease.terms().commandTimeout(), resources.ticker());
            } catch (Throwable ex) {
                settle();
                throw ex;
            }
        }
        return settle();
    }

    /** Waits for the store's answer without blocking a thread, no longer than the command timeout. */
    CompletionStage<Boolean> awaitAsync() {
        if (lease == null || asked.isDone()) {
            return CompletableFuture.completedFuture(settle());
        }
        EngineResources resources = lease.locker().resources();
        Scheduler.Task timeout;
        try {
            timeout = resources
                    .scheduler()
                    .schedule(
                            () -> SafeCancellation.cancel(asked), lease.terms().commandTimeout());
        } catch (Throwable ex) {
            // no thread could be created: without an end of the release, no other caller would get the lock
            return CompletableFuture.completedFuture(settle());
        }
        CompletableFuture<Boolean> settled = asked.handle((answer, failure) -> {
            timeout.cancel();
            return settle();
        });
        return OffloadedFuture.of(settled, resources.executors().async());
    }

    /** Ends the release. Called once, by the one caller that waits for it. */
    private boolean settle() {
        boolean answered = asked.isDone() && !asked.isCompletedExceptionally();
        if (lease != null) {
            if (!answered) {
                SafeCancellation.cancel(asked);
            }
            end(lease, answered);
        }
        return answered && asked.join() == ReleaseAnswer.RELEASED;
    }

    private static void end(Lease lease, boolean answered) {
        try {
            if (!answered) {
                lease.reap();
            }
        } finally {
            try {
                lease.queue().advance();
            } finally {
                lease.locker().openCalls().decrementAndGet();
            }
        }
    }
}
