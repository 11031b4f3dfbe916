package io.leasehold.engine;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** One acquire command on its way, and what the clocks said before it was sent. */
record Ask(Token token, long sentAt, long wallMillis, CompletableFuture<AcquireAnswer> reply) {

    static Ask send(Acquisition acquisition, Token token, boolean willWait, Duration patience) {
        LeaseLocker locker = acquisition.locker();
        Ticker ticker = locker.parts().ticker();
        long sentAt = ticker.nanos();
        long wallMillis = ticker.wallMillis();
        AcquireCommand command = new AcquireCommand(
                acquisition.id(),
                token,
                acquisition.terms().ttl(),
                locker.settings().maxLocalHandoffs() + 1,
                willWait,
                patience);
        CompletableFuture<AcquireAnswer> reply;
        try {
            reply = locker.backend().acquire(command).toCompletableFuture();
        } catch (Throwable ex) {
            reply = CompletableFuture.failedFuture(ex);
        }
        return new Ask(token, sentAt, wallMillis, reply);
    }

    /** Takes the answer, or gives up on it if there is none. */
    AcquireAnswer take() {
        if (!reply.isDone()) {
            reply.cancel(true);
        }
        try {
            return reply.join();
        } catch (CancellationException ex) {
            throw new BackendFailure(Effect.UNKNOWN, "no answer within the command timeout", ex);
        } catch (CompletionException ex) {
            if (ex.getCause() instanceof BackendFailure failure) {
                throw failure;
            }
            throw new BackendFailure(Effect.UNKNOWN, String.valueOf(ex.getCause()), ex.getCause());
        }
    }
}
