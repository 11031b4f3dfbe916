package io.leasehold.redis;

import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RedisErrors;
import io.leasehold.redis.client.RedisKeys;
import io.leasehold.redis.client.RedisScript;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reports the holders of locks. The value of a lock's key ends with the id of the instance that holds it, and each
 * instance records its name once under a key of its own. No operation on a lock therefore writes a name. The record is
 * written again every minute, in case Redis has lost it, and outlives the instance by a week.
 */
final class RedisHolders implements AutoCloseable {

    private static final RedisScript DESCRIBE =
            RedisScript.of(RedisHolders.class, "describe.lua", RedisScript.Answer.BYTES);

    private static final RedisScript INTRODUCE =
            RedisScript.of(RedisHolders.class, "introduce.lua", RedisScript.Answer.INTEGER);

    private static final RedisScript INSTANCE_NAME =
            RedisScript.of(RedisHolders.class, "instance_name.lua", RedisScript.Answer.BYTES);

    private static final byte[] RECORD_KEPT = RedisKeys.bytes(Duration.ofDays(7).toMillis());

    private static final long REFRESH_SECONDS = 60;

    /** A token, the id of its instance unless an older version wrote the value, and the mark of a retained lease. */
    private static final Pattern OWNER = Pattern.compile("[0-9a-f]{32}([0-9a-f]{12})?(\\|released)?");

    /** A counter below the time of September 2001 did not start at the server's clock. */
    private static final long LEAST_BY_CLOCK = 1_000_000_000_000_000L;

    private final RedisClientAdapter client;

    private final Set<Instance> introduced = ConcurrentHashMap.newKeySet();

    private volatile @Nullable CompletableFuture<?> refresh;

    private volatile boolean closed;

    RedisHolders(RedisClientAdapter client) {
        this.client = client;
    }

    CompletionStage<Void> introduce(Instance instance) {
        CompletionStage<Void> recorded = record(instance);
        if (introduced.add(instance) && introduced.size() == 1) {
            refreshLater();
        }
        return recorded;
    }

    CompletionStage<LockState> describe(LockId id) {
        CompletableFuture<byte[]> reply = client.scripts()
                .run(DESCRIBE, new byte[][] {RedisKeys.lock(id), RedisKeys.fence(id), RedisKeys.queue(id)});
        return ScriptReply.of(reply, Entry::parse, () -> {}).thenCompose(this::state);
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
        return ScriptReply.of(reply, done -> done, () -> {}).thenAccept(done -> {});
    }

    private void refreshLater() {
        CompletableFuture<Void> next = new CompletableFuture<>();
        // published before the check: a concurrent close either cancels it or is seen here
        refresh = next;
        if (!closed) {
            next.completeOnTimeout(null, REFRESH_SECONDS, TimeUnit.SECONDS).thenRun(() -> {
                introduced.forEach(this::record);
                refreshLater();
            });
        }
    }

    private CompletionStage<LockState> state(Entry entry) {
        Matcher owner = OWNER.matcher(entry.owner());
        if (entry.remainingMillis() == -2) {
            return CompletableFuture.completedFuture(new LockState.Free());
        }
        if (!owner.matches()) {
            return CompletableFuture.completedFuture(entry.held(Kind.FOREIGN, null));
        }
        Kind kind = owner.group(2) == null ? Kind.HOLDER : Kind.RELEASED;
        return name(owner.group(1)).thenApply(name -> entry.held(kind, name));
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

    /** The reply of {@code describe.lua}. */
    private record Entry(long remainingMillis, long fence, int waiting, long clockMicros, String owner) {

        static Entry parse(byte[] reply) {
            String[] parts = new String(reply, StandardCharsets.UTF_8).split(" ", 5);
            if (parts.length < 5) {
                return new Entry(-2, 0, 0, 0, "");
            }
            return new Entry(
                    Long.parseLong(parts[0]),
                    Long.parseLong(parts[1]),
                    Integer.parseInt(parts[2]),
                    Long.parseLong(parts[3]),
                    parts[4]);
        }

        LockState held(Kind kind, @Nullable String holder) {
            // the counter starts at the server's time at the grant, unless the clock was set back
            boolean tellsTime = kind != Kind.FOREIGN && fence >= LEAST_BY_CLOCK && fence <= clockMicros;
            return new Held(
                    kind,
                    holder,
                    tellsTime ? Instant.EPOCH.plus(fence, ChronoUnit.MICROS) : null,
                    remainingMillis < 0 ? null : Duration.ofMillis(remainingMillis),
                    kind == Kind.FOREIGN || fence == 0 ? OptionalLong.empty() : OptionalLong.of(fence),
                    OptionalInt.of(waiting));
        }
    }
}
