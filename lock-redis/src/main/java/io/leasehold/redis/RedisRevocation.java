package io.leasehold.redis;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.redis.client.CancellableCall;
import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RedisKeys;
import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.WakeupSubscription;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Takes a lock from its holder, which keeps the remaining time of its lease. A lock that is only retained is removed
 * instead. Processes with waiters are sent a hint, so that the holder renews the lease immediately if it is one of them.
 */
final class RedisRevocation {

    private static final RedisScript REVOKE =
            RedisScript.of(RedisRevocation.class, "revoke.lua", RedisScript.Answer.BYTES, RedisScript::ofChange);

    private RedisRevocation() {}

    /**
     * Sends the revocation.
     *
     * @param fencingToken the name of the lease
     * @param removal releases a token that has only retained the lock
     */
    static CompletionStage<Outcome> of(
            RedisClientAdapter client,
            LockId id,
            long fencingToken,
            Function<byte[], CompletableFuture<ReleaseAnswer>> removal) {
        CompletableFuture<byte[]> reply = client.grants()
                .run(
                        REVOKE,
                        new byte[][] {RedisKeys.lock(id), RedisKeys.fence(id), RedisKeys.queue(id)},
                        RedisKeys.bytes(fencingToken),
                        WakeupSubscription.revocations());
        return CancellableCall.ofReply(reply, answer -> new String(answer, StandardCharsets.US_ASCII))
                .thenCompose(answer -> outcome(answer, removal));
    }

    private static CompletableFuture<Outcome> outcome(
            String answer, Function<byte[], CompletableFuture<ReleaseAnswer>> removal) {
        return switch (answer) {
            case "1" -> CompletableFuture.completedFuture(Outcome.REVOKED);
            case "free" -> CompletableFuture.completedFuture(Outcome.FREE);
            case "foreign" -> CompletableFuture.completedFuture(Outcome.FOREIGN);
            case "other" -> CompletableFuture.completedFuture(Outcome.OTHER_HOLDER);
            default -> {
                String retained = answer.substring(0, answer.indexOf('|'));
                yield removal.apply(RedisKeys.bytes(retained))
                        .thenApply(removed -> removed == ReleaseAnswer.RELEASED ? Outcome.REMOVED : Outcome.FREE);
            }
        };
    }
}
