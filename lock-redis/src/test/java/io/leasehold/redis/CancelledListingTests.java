package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockListener;
import io.leasehold.LockListing;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A listing of a large database that is cancelled, or takes too long, sends no further {@code SCAN}. */
class CancelledListingTests {

    private static final Pattern SCANS = Pattern.compile("cmdstat_scan:calls=(\\d+)");

    /** Of a hundred keys each, so that no listing is complete before it is cancelled. */
    private static final int STEPS = 3_000;

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    @Test
    void aCancelledListingStops() {
        try (RedisServer redis = RedisServer.start();
                RedisClient client = RedisClient.of(redis.port());
                LockBackend backend = RedisLockBackend.of(client.factory(), RedisLockOptions.defaults());
                LockEngine engine = new LockEngine(new LockListener() {})) {
            LeaseLocker locker = engine.locker(LockerSettings.of("deploy"), "redis", backend);
            StoreClient store = new StoreClient(backend, "deploy");
            assertThat(store.list(10).locks()).isEmpty();
            fill(redis);

            assertThatItStops(redis, store, () -> backend.list("deploy", 100).toCompletableFuture());
            assertThatItStops(redis, store, () -> locker.list(100).toCompletableFuture());
        }
    }

    @Test
    void aListingThatTakesTooLongReturnsWhatItHasFound() {
        try (RedisServer redis = RedisServer.start();
                RedisClient client = RedisClient.of(redis.port());
                RedisClientAdapter adapter = RedisLockBackend.client(client.factory(), RedisLockOptions.defaults())) {
            StoreClient.await(adapter.connect());
            redis.command("EVAL", "for i = 1, 2000 do redis.call('SET', 'deploy:' .. i, 'x') end", "0");
            LockListing listing = StoreClient.await(new RedisListing(
                            adapter,
                            id -> CompletableFuture.completedFuture(null),
                            "deploy",
                            1_000,
                            CompletableFuture.completedFuture(null))
                    .run());
            assertThat(listing.locks()).hasSizeBetween(50, 500);
            assertThat(listing.incomplete())
                    .isEqualTo("the listing took too long: only 100 keys of the database were visited");
        }
    }

    private static void assertThatItStops(
            RedisServer redis, StoreClient store, Supplier<CompletableFuture<LockListing>> list) {
        redis.command("CONFIG", "RESETSTAT");
        CompletableFuture<LockListing> listing = list.get();
        await().pollInterval(Duration.ofMillis(1)).atMost(DEADLINE).until(() -> scans(redis) >= 2);
        assertThat(listing.cancel(true)).isTrue();

        // the reply of a step that was under way arrives on this connection before the state of a lock does
        await().atMost(DEADLINE).until(() -> {
            long before = scans(redis);
            StoreClient.await(store.backend().describe(store.id("x")));
            return scans(redis) == before;
        });
        long scans = scans(redis);
        for (int i = 0; i < 50; i++) {
            StoreClient.await(store.backend().describe(store.id("x")));
        }
        assertThat(scans(redis)).isEqualTo(scans).isLessThan(STEPS / 2);
    }

    private static void fill(RedisServer redis) {
        for (int i = 0; i < STEPS; i += 100) {
            redis.command(
                    "EVAL", "for i = 1, 10000 do redis.call('SET', KEYS[1] .. i, 'x') end", "1", "session:" + i + ":");
        }
    }

    private static long scans(RedisServer redis) {
        Matcher calls = SCANS.matcher((String) redis.command("INFO", "commandstats"));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }
}
