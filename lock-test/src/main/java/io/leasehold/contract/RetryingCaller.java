package io.leasehold.contract;

import static io.leasehold.contract.StoreClient.LONG;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for a lock as the contract requires of a caller: waits for its wake-up or a limited time, then retries. */
final class RetryingCaller {

    private static final int CAP_MILLIS = 50;

    private RetryingCaller() {}

    static Held lock(StoreClient client, LockId id) {
        Token token = client.token();
        while (true) {
            AcquireAnswer answer = client.acquire(new AcquireCommand(id, token, LONG, 1, true));
            if (answer instanceof Granted granted) {
                return new Held(id, token, granted.firstFence());
            }
            Busy busy = (Busy) answer;
            pause(busy);
            token = busy.queued() ? token : client.token();
        }
    }

    private static void pause(Busy busy) {
        int millis = ThreadLocalRandom.current().nextInt(1, CAP_MILLIS);
        CompletableFuture<?> wakeup = busy.wakeup();
        if (wakeup == null) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
            return;
        }
        CompletableFuture<?> timeout = new CompletableFuture<>();
        timeout.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS);
        try {
            CompletableFuture.anyOf(wakeup, timeout).join();
        } catch (CompletionException ended) {
            // a wake-up may also complete exceptionally
        }
        wakeup.cancel(false);
    }
}
