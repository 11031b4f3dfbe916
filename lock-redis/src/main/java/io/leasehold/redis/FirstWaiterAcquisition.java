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
 * The acquisition of the first caller of this process that finds a lock busy: opens the subscription for wake-ups and
 * acquires again, so that the caller is queued with one. If opening takes long, it answers that the lock is busy, and the
 * caller polls meanwhile. Acquiring twice under one token does no harm.
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
        // Published before the check, as cancel() is recorded before it reads the field.
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
