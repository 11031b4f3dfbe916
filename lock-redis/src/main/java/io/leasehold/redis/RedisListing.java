package io.leasehold.redis;

import io.leasehold.LockListing;
import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RedisErrors;
import io.leasehold.redis.client.RedisKeys;
import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.RedisScript.Confirmation;
import io.leasehold.spi.LockId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lists the locks of a namespace with {@code SCAN}. Each step visits a hundred keys of the database, so that
 * commands of others run in between. The number of steps and their time are limited, and the listing then says that it
 * is not complete.
 */
final class RedisListing {

    private static final RedisScript LIST =
            RedisScript.of(RedisListing.class, "list.lua", RedisScript.Answer.BYTES, RedisListing::ofPage);

    /** How many keys of the database one step visits. A step with as many locks takes Redis less than a millisecond. */
    private static final int VISITED = 100;

    private static final int MOST_STEPS = 5_000;

    private final RedisClientAdapter client;

    private final Function<String, CompletionStage<@Nullable String>> names;

    private final String namespace;

    private final int limit;

    private final CompletableFuture<?> timeUp;

    private final Map<String, RedisEntry> found = new LinkedHashMap<>();

    private final CompletableFuture<LockListing> result = new CompletableFuture<>();

    private int steps;

    /**
     * Creates a listing.
     *
     * @param names reads the name of an instance by the digits of its id
     * @param timeUp completes when no further step may be sent; the end of the listing cancels it
     */
    RedisListing(
            RedisClientAdapter client,
            Function<String, CompletionStage<@Nullable String>> names,
            String namespace,
            int limit,
            CompletableFuture<?> timeUp) {
        this.client = client;
        this.names = names;
        this.namespace = namespace;
        this.limit = limit;
        this.timeUp = timeUp;
    }

    /** Starts the listing. A listing that is cancelled sends no further step. */
    CompletableFuture<LockListing> run() {
        if (client.isCluster()) {
            result.complete(
                    LockListing.unknown("locks are not listed in a Redis Cluster, where each node has some of them"));
        } else {
            result.whenComplete((listing, failure) -> timeUp.cancel(false));
            step("0");
        }
        return result;
    }

    private void step(String cursor) {
        CompletableFuture<byte[]> reply = client.releases()
                .run(
                        LIST,
                        new byte[0][],
                        RedisKeys.bytes(cursor),
                        RedisKeys.bytes(namespace + ":*"),
                        RedisKeys.bytes(VISITED));
        // on another thread: that of the reply serves all commands of the connection
        reply.whenCompleteAsync((page, failure) -> {
            if (failure == null) {
                next(page);
            } else {
                fail(failure);
            }
        });
    }

    private void next(byte[] page) {
        try {
            String cursor = read(page);
            steps++;
            if (cursor.equals("0") || found.size() > limit) {
                complete(null);
            } else if (steps == MOST_STEPS) {
                complete("only " + steps * VISITED + " keys of the database were visited");
            } else if (timeUp.isDone() && !result.isDone()) {
                complete("the listing took too long: only " + steps * VISITED + " keys of the database were visited");
            } else if (!result.isDone()) {
                step(cursor);
            }
        } catch (RuntimeException | Error ex) {
            fail(ex);
        }
    }

    private void fail(Throwable failure) {
        if (RedisErrors.isNotPermitted(failure)) {
            result.complete(
                    LockListing.unknown("the Redis user may not list keys: grant it +scan, see docs/redis-acl.md"));
        } else {
            result.completeExceptionally(RedisErrors.of(failure));
        }
    }

    /** Adds the entries of a page to those found, and returns the next cursor. */
    private String read(byte[] page) {
        int at = endOfLine(page, 0);
        String[] head = text(page, 0, at).split(" ");
        while (at + 1 < page.length) {
            int start = at + 1;
            at = endOfLine(page, start);
            String[] line = text(page, start, at).split(" ");
            int keyStart = at + 1;
            int ownerStart = keyStart + Integer.parseInt(line[0]);
            at = ownerStart + Integer.parseInt(line[1]) - 1;
            RedisEntry entry = new RedisEntry(
                    Long.parseLong(line[2]),
                    Long.parseLong(line[3]),
                    Integer.parseInt(line[4]),
                    Long.parseLong(head[1]),
                    text(page, ownerStart, at + 1));
            String key = text(page, keyStart, ownerStart);
            if (!entry.isAbsent()) {
                found.put(key, entry);
            }
        }
        return head[0];
    }

    /** Reads the names of the holders, and completes the listing. */
    private void complete(@Nullable String incomplete) {
        Map<String, CompletableFuture<@Nullable String>> read = new HashMap<>();
        for (RedisEntry entry : found.values()) {
            String instance = entry.instanceId();
            if (instance != null) {
                read.computeIfAbsent(instance, id -> names.apply(id).toCompletableFuture());
            }
        }
        CompletableFuture.allOf(read.values().toArray(CompletableFuture<?>[]::new))
                .whenCompleteAsync((done, failure) -> {
                    if (failure == null) {
                        result.complete(listing(read, incomplete));
                    } else {
                        fail(failure);
                    }
                });
    }

    private LockListing listing(Map<String, CompletableFuture<@Nullable String>> read, @Nullable String incomplete) {
        List<LockListing.Entry> locks = new ArrayList<>();
        found.forEach((key, entry) -> {
            String instance = entry.instanceId();
            String name = instance == null
                    ? null
                    : Objects.requireNonNull(read.get(instance)).join();
            locks.add(new LockListing.Entry(LockId.key(key), entry.held(name)));
        });
        LockListing listing = LockListing.of(locks, limit);
        return incomplete == null ? listing : new LockListing(listing.locks(), incomplete);
    }

    /** The last page denies all locks that were not found. */
    private static Confirmation ofPage(Object reply) {
        byte[] page = (byte[]) reply;
        return page[0] == '0' && page[1] == ' ' ? Confirmation.DENIAL : Confirmation.NONE;
    }

    private static int endOfLine(byte[] page, int start) {
        int end = start;
        while (page[end] != '\n') {
            end++;
        }
        return end;
    }

    private static String text(byte[] page, int start, int end) {
        return new String(page, start, end - start, StandardCharsets.UTF_8);
    }
}
