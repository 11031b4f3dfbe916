package io.leasehold.redis;

import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.redis.client.CancellableCall;
import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RedisErrors;
import io.leasehold.redis.client.RedisKeys;
import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.RedisScript.Confirmation;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Reports the holders of locks. The value of a lock's key ends with the id of the instance that holds it, and each
 * instance records its name once under a key of its own. No operation on a lock therefore writes a name. The record is
 * written again every minute, in case Redis has lost it, and outlives the instance by a week.
 */
final class RedisHolders implements AutoCloseable {

    private static final RedisScript DESCRIBE =
            RedisScript.of(RedisHolders.class, "describe.lua", RedisScript.Answer.BYTES, RedisHolders::ofState);

    private static final RedisScript INTRODUCE =
            RedisScript.of(RedisHolders.class, "introduce.lua", RedisScript.Answer.INTEGER);

    private static final RedisScript INSTANCE_NAME =
            RedisScript.of(RedisHolders.class, "instance_name.lua", RedisScript.Answer.BYTES);

    private static final byte[] RECORD_KEPT = RedisKeys.bytes(Duration.ofDays(7).toMillis());

    private static final long REFRESH_SECONDS = 60;

    /** Less than the engine waits for a listing, so that a slow one returns what it has found. */
    private static final long LISTING_SECONDS = 8;

    private final RedisClientAdapter client;

    private final Set<Instance> introduced = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean refreshing = new AtomicBoolean();

    private volatile @Nullable CompletableFuture<?> refresh;

    private volatile boolean closed;

    RedisHolders(RedisClientAdapter client) {
        this.client = client;
    }

    CompletionStage<Void> introduce(Instance instance) {
        CompletionStage<Void> recorded = record(instance);
        introduced.add(instance);
        if (!refreshing.getAndSet(true)) {
            refreshLater();
        }
        return recorded;
    }

    CompletionStage<LockState> describe(LockId id) {
        CompletableFuture<byte[]> reply = client.releases()
                .run(DESCRIBE, new byte[][] {RedisKeys.lock(id), RedisKeys.fence(id), RedisKeys.queue(id)});
        return CancellableCall.ofReply(reply, RedisHolders::parse).thenCompose(this::state);
    }

    CompletionStage<LockListing> list(String namespace, int limit) {
        CompletableFuture<?> timeUp =
                new CompletableFuture<>().completeOnTimeout("", LISTING_SECONDS, TimeUnit.SECONDS);
        return new RedisListing(client, this::name, namespace, limit, timeUp).run();
    }

    @Override
    public void close() {
        closed = true;
        CompletableFuture<?> next = refresh;
        if (next != null) {
            next.cancel(false);
        }
    }

    private CompletionStage<Void> record(Instance instance) {
        CompletableFuture<Long> reply = client.scripts()
                .run(
                        INTRODUCE,
                        new byte[][] {RedisKeys.instance(instance.idDigits())},
                        RedisKeys.bytes(instance.name()),
                        RECORD_KEPT);
        return CancellableCall.ofReply(reply, done -> done).thenAccept(done -> {});
    }

    private void refreshLater() {
        CompletableFuture<Void> next = new CompletableFuture<>();
        // published before the check: a concurrent close either cancels it or is seen here
        refresh = next;
        if (!closed) {
            next.completeOnTimeout(null, REFRESH_SECONDS, TimeUnit.SECONDS).thenRun(() -> {
                // first, since a record that cannot be sent may throw
                refreshLater();
                introduced.forEach(this::record);
            });
        }
    }

    private CompletionStage<LockState> state(RedisEntry entry) {
        return entry.isAbsent()
                ? CompletableFuture.completedFuture(new LockState.Free())
                : name(entry.instanceId()).thenApply(entry::held);
    }

    /** Reads the name of an instance. A name that cannot be read is missing; the rest of the state is still useful. */
    private CompletionStage<@Nullable String> name(@Nullable String instanceId) {
        if (instanceId == null) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<byte[]> reply =
                client.scripts().run(INSTANCE_NAME, new byte[][] {RedisKeys.instance(instanceId)});
        return reply.handle((name, failure) -> {
            if (failure != null && !RedisErrors.isNotPermitted(failure)) {
                throw RedisErrors.of(failure);
            }
            return failure != null || name.length == 0 ? null : new String(name, StandardCharsets.UTF_8);
        });
    }

    private static Confirmation ofState(Object reply) {
        return parse((byte[]) reply).isAbsent() ? Confirmation.DENIAL : Confirmation.NONE;
    }

    private static RedisEntry parse(byte[] reply) {
        String[] parts = new String(reply, StandardCharsets.UTF_8).split(" ", 5);
        return parts.length < 5
                ? RedisEntry.absent()
                : new RedisEntry(
                        Long.parseLong(parts[0]),
                        Long.parseLong(parts[1]),
                        Integer.parseInt(parts[2]),
                        Long.parseLong(parts[3]),
                        parts[4]);
    }
}
