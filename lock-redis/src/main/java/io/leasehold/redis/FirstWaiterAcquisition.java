package io.leasehold.redis;

import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.WakeupSubscription;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireCommand;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The acquisition of a waiting caller before this process has a subscription for wake-ups. If the lock is busy, it
 * opens the subscription and acquires again, so that the caller is queued with a wake-up. If opening takes longer than
 * 200 ms, it returns the busy answer, and the caller polls meanwhile. Acquiring twice with the same token is harmless.
 */
final class FirstWaiterAcquisition extends CompletableFuture<AcquireAnswer> {

    private static final long LONGEST_MILLIS = 200;

    private volatile CompletableFuture<AcquireAnswer> asked;

    FirstWaiterAcquisition(
            CompletableFuture<AcquireAnswer> first,
            RedisClientAdapter client,
            AcquireCommand command,
            BiFunction<AcquireCommand, @Nullable WakeupSubscription, CompletableFuture<AcquireAnswer>> acquire) {
        this.asked = first;
        first.whenComplete((answer, failure) -> {
            if (answer instanceof Busy) {
                client.openSubscription()
                        .completeOnTimeout(null, LONGEST_MILLIS, TimeUnit.MILLISECONDS)
                        .thenAccept(wakeups -> askAgain(answer, wakeups, command, acquire));
            } else {
                end(answer, failure);
            }
        });
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        asked.cancel(mayInterruptIfRunning);
        return cancelled;
    }

    private void askAgain(
            AcquireAnswer busy,
            @Nullable WakeupSubscription wakeups,
            AcquireCommand command,
            BiFunction<AcquireCommand, @Nullable WakeupSubscription, CompletableFuture<AcquireAnswer>> acquire) {
        if (wakeups == null || isCancelled()) {
            complete(busy);
            return;
        }
        // published before the check, because cancel() marks this future before it reads the field
        asked = acquire.apply(command, wakeups);
        if (isCancelled()) {
            asked.cancel(true);
        }
        asked.whenComplete(this::end);
    }

    private void end(@Nullable AcquireAnswer answer, @Nullable Throwable failure) {
        if (failure != null) {
            completeExceptionally(failure);
        } else {
            complete(answer);
        }
    }
}
